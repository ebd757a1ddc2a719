/** An S3 server for tests, in a process of its own that can be killed. */
import S3rver from "s3rver";

const [directory = "", port = "0"] = process.argv.slice(2);
const server = new S3rver({
  directory,
  port: Number(port),
  address: "127.0.0.1",
  silent: true,
  configureBuckets: [{ name: "memory", configs: [] }],
});
const { port: taken } = await server.run();
process.send?.(taken);
