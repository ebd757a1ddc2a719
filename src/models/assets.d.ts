/** Files that the compiled binary carries: templates as text, and others as their path. */
declare module "*.md" {
  const text: string;
  export default text;
}
declare module "*.bin" {
  const path: string;
  export default path;
}
