const probed = { globals: Object.getOwnPropertyNames(globalThis).sort(), symbols: Object.getOwnPropertySymbols(globalThis).map(String).sort() }
function say(name, ask) {
  try {
    const value = ask()
    probed[name] = value === undefined ? 'undefined' : value
  } catch (problem) {
    probed[name] = `${problem.name}: ${problem.message}`
  }
}
say('performance.entries', () => performance.getEntries().length)
say('performance.node', () => { const t = performance.nodeTiming; return [t.bootstrapComplete > 0, t.loopStart > 0, t.loopExit] })
say('argv', () => process.argv)
say('argv0', () => process.argv0)
say('execArgv', () => process.execArgv)
say('execPath', () => process.execPath)
say('title', () => process.title)
say('debugPort', () => process.debugPort)
say('exitCode', () => process.exitCode)
say('versions', () => process.versions)
say('release', () => process.release.name)
say('features', () => process.features)
say('config', () => Object.keys(process.config))
say('process.names', () => Object.getOwnPropertyNames(process).sort())
say('process.enumerable', () => Object.keys(process).sort())
say('process.events', () => process.eventNames().map(String).sort())
for (const event of process.eventNames()) say(`listeners.${String(event)}`, () => process.listenerCount(event))
for (const name of Object.getOwnPropertyNames(process).sort()) {
  say(`process.${name}.kind`, () => {
    const found = Object.getOwnPropertyDescriptor(process, name)
    return [typeof found.get, typeof found.set, found.writable, found.enumerable, found.configurable, 'value' in found ? typeof found.value : ''].map(String)
  })
}
for (const name of Object.getOwnPropertyNames(globalThis).sort()) {
  say(`global.${name}.kind`, () => {
    const found = Object.getOwnPropertyDescriptor(globalThis, name)
    return [typeof found.get, typeof found.set, found.writable, found.enumerable, found.configurable, 'value' in found ? typeof found.value : ''].map(String)
  })
}
const Module = process.getBuiltinModule('mod' + 'ule')
const load = Module.createRequire('/')
say('Module.names', () => Object.getOwnPropertyNames(Module).sort())
for (const name of Object.getOwnPropertyNames(Module).sort()) {
  say(`Module.${name}.kind`, () => {
    const found = Object.getOwnPropertyDescriptor(Module, name)
    return [typeof found.get, found.writable, found.enumerable, found.configurable, typeof found.value === 'function' ? String(found.value).slice(0, 60) : typeof found.value].map(String)
  })
}
say('Module.globalPaths', () => Module.globalPaths)
say('cwd', () => process.cwd())
say('umask', () => process.umask())
say('ids', () => [process.getuid(), process.geteuid(), process.getgid(), process.getegid(), process.getgroups()])
say('env', () => Object.fromEntries(Object.entries(process.env).sort()))
say('env.kind', () => [Object.prototype.toString.call(process.env), process.env.NO_SUCH === undefined])
const fs = load('fs')
function kind(number) {
  const stat = fs.fstatSync(number)
  return ['isFIFO', 'isFile', 'isCharacterDevice', 'isSocket', 'isDirectory'].filter((name) => stat[name]())
}
say('descriptors', () => [0, 1, 2].map(kind))
say('descriptors.pipes', () =>
  fs.readdirSync('/proc/self/fd').filter((each) => {
    try {
      return /^(?:pipe|\/(?!dev\/null|proc))/.test(fs.readlinkSync('/proc/self/fd/' + each)) && kind(Number(each))[0] !== 'isDirectory' && Number(each) > 2 && !fs.readFileSync('/proc/self/fdinfo/' + each, 'utf8').match(/flags:\s+0?2\d{6}/)
    } catch {
      return false
    }
  }))
for (const number of [0, 1, 2]) say(`descriptor.${number}.flags`, () => fs.readFileSync(`/proc/self/fdinfo/${number}`, 'utf8').match(/flags:\s+(\d+)/)[1])
say('resources', () => process.getActiveResourcesInfo().filter((each) => !each.endsWith('Req')))
say('handles', () => process._getActiveHandles().map((each) => each.constructor.name))
for (const name of ['stdout', 'stderr']) {
  say(name, () => {
    const s = process[name]
    return [s.constructor.name, s.fd, s.isTTY, s._type, s._isStdio, s.writable, s.writableHighWaterMark, s.writableLength, s.listenerCount('error'), s.eventNames().map(String).sort(), Object.keys(s).sort(), String(s.destroyed), s.columns].map(String)
  })
}
say('stdin', () => {
  const s = process.stdin
  return [s.constructor.name, s.fd, s.isTTY, s.readable, s.readableFlowing, s.isPaused(), s.eventNames().map(String).sort(), Object.keys(s).sort()].map(String)
})
say('stdin.content', () => fs.readFileSync(0).length)
say('console.names', () => Object.getOwnPropertyNames(console).sort())
say('report', () => [process.report.directory, process.report.filename, process.report.reportOnFatalError])
say('sourceMaps', () => String(process.sourceMapsEnabled))
say('stack limit', () => Error.stackTraceLimit)
say('stack prepare', () => String(Error.prepareStackTrace).slice(0, 60))
say('stack', () => new Error('x').stack.split('\n').map((line) => line.replace(/:\d+:\d+/, '')).slice(-8))
say('heap limit', () => load('v8').getHeapStatistics().heap_size_limit)
say('threads', () => load('worker_threads').isMainThread)
say('threads.number', () => load('worker_threads').threadId)
say('inspector', () => String(load('inspector').url()))
say('domains', () => String(process.domain))
say('async', () => [load('async_hooks').executionAsyncId() >= 0, load('async_hooks').triggerAsyncId() >= 0])
say('timezone', () => Intl.DateTimeFormat().resolvedOptions().timeZone)
say('locale', () => Intl.DateTimeFormat().resolvedOptions().locale)
say('os', () => { const os = load('os'); return [os.platform(), os.arch(), os.homedir(), os.tmpdir(), os.getPriority(), os.endianness()] })
say('os.user', () => load('os').userInfo().username)
say('warnings', () => [process.noDeprecation, process.throwDeprecation, process.traceDeprecation].map(String))
say('allowed flags', () => process.allowedNodeEnvironmentFlags.size > 10)
say('channel', () => [process.connected, process.channel, process.send].map(String))
const status = fs.readFileSync('/proc/self/status', 'utf8')
for (const name of ['Name', 'SigBlk', 'SigIgn', 'SigCgt', 'NoNewPrivs', 'CapEff']) say(`kernel.${name}`, () => status.match(new RegExp(`${name}:\\s*(.*)`))[1])
say('kernel.command', () => fs.readFileSync('/proc/self/cmdline', 'utf8').split('\0').slice(1))
say('kernel.environment', () => fs.readFileSync('/proc/self/environ', 'utf8').split('\0').sort())
say('kernel.limits', () => fs.readFileSync('/proc/self/limits', 'utf8').split('\n').slice(1))
say('kernel.children', () => fs.readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8'))
