/** The little of it that tests use; it brings no types. */
declare module "s3rver" {
  export default class S3rver {
    constructor(options: Readonly<Record<string, unknown>>);
    run(): Promise<{ readonly port: number }>;
  }
}
