// Preloaded into servers that choose their own address: they listen on a free port of this machine alone, and say which.
import { Server } from "node:net";

const { listen } = Server.prototype;
Server.prototype.listen = function (...given) {
  const heard = given.findLast((each) => typeof each === "function");
  return listen.call(this, 0, "127.0.0.1", () => {
    console.log(`listening on port ${this.address().port}`);
    heard?.();
  });
};
