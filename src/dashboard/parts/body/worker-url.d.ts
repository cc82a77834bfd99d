/** The build writes the worker into a file, and this is its address. */
declare module '*?worker&url' {
  const url: string;
  export default url;
}
