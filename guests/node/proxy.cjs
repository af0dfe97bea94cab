// Loaded before a Node program that may reach a few hosts through the proxy that HTTPS_PROXY names: has fetch, http and
// https go that way. From version 24 on Node does it by itself (NODE_USE_ENV_PROXY).
'use strict';

const http = require('node:http');
const https = require('node:https');
const net = require('node:net');
const tls = require('node:tls');

const LOCAL = new Set(['localhost', '127.0.0.1', '::1', '[::1]']);
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

const proxy = new URL(process.env.HTTPS_PROXY || 'http://127.0.0.1:3128');

/** Opens a connection to a host through the proxy. */
function open(host, port, done) {
  const at = `${host}:${port}`;
  const asked = http.request({
    host: proxy.hostname,
    port: proxy.port,
    method: 'CONNECT',
    path: at,
    headers: { host: at },
    agent: false,
  });
  asked.once('connect', (answer, socket, head) => {
    if (answer.statusCode === 200) {
      done(null, socket);
      return;
    }
    socket.destroy();
    const why = head.toString('latin1').trim();
    done(new Error(`no connection to ${at}: ${why || `the proxy answers ${answer.statusCode}`}`));
  });
  asked.once('error', done);
  asked.end();
}

function secured(socket, options, done) {
  const safe = tls.connect({ ALPNProtocols: ['http/1.1'], ...options, socket });
  safe.once('error', done);
  safe.once('secureConnect', () => {
    safe.removeListener('error', done);
    done(null, safe);
  });
}

function patch(agents, direct, secure) {
  agents.prototype.createConnection = function createConnection(options, done) {
    if (options.socketPath || typeof done !== 'function' || LOCAL.has(options.host)) {
      return direct.apply(this, arguments);
    }
    open(options.host, options.port, (failed, socket) => {
      if (failed || !secure) {
        done(failed, socket);
      } else {
        secured(socket, { ...options, servername: options.servername || options.host }, done);
      }
    });
    return undefined;
  };
}

function dispatch() {
  void globalThis.Headers; // Loads the client behind fetch, which sets its dispatcher.
  const Agent = globalThis[DISPATCHER]?.constructor;
  if (Agent === undefined) {
    return;
  }
  globalThis[DISPATCHER] = new Agent({
    connect: ({ hostname, port, protocol, servername }, done) => {
      const secure = protocol === 'https:';
      const to = port || (secure ? 443 : 80);
      const begun = (failed, socket) => {
        if (failed || !secure) {
          done(failed, socket);
        } else {
          secured(socket, { servername: servername || hostname }, done);
        }
      };
      if (LOCAL.has(hostname)) {
        const socket = net.connect(to, hostname.replace(/[[\]]/g, ''));
        socket.once('error', begun);
        socket.once('connect', () => {
          socket.removeListener('error', begun);
          begun(null, socket);
        });
      } else {
        open(hostname, to, begun);
      }
    },
  });
}

let patched = false;

/** Has everything go through the proxy, also where Node was started before there was one. */
function patchAll() {
  if (patched) {
    return;
  }
  patched = true;
  patch(http.Agent, http.Agent.prototype.createConnection, false);
  patch(https.Agent, https.Agent.prototype.createConnection, true);
  dispatch();
}

if (Number(process.versions.node.split('.')[0]) < 24) {
  patchAll();
}

module.exports = { patchAll };
