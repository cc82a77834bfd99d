/** The build makes a file of its own for the worker, and gives its address. */
declare module '*?worker&url' {
  const url: string;
  export default url;
}
