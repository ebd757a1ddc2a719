/** Files imported `with { type: "file" }`: the import is their path, also inside the compiled binary. */
declare module "*.bin" {
  const path: string;
  export default path;
}
