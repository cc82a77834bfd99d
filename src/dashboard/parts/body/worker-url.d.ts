/** The address of the file into which the build writes the worker. */
declare module '*?worker&url' {
  const url: string;
  export default url;
}
