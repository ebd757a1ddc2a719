/** Lists of words are imported as text, so that the compiled binary carries them. */
declare module "*.txt" {
  const text: string;
  export default text;
}
