'use strict'
// esbuild counts the bytes before a place in a line; editors count characters, and the first is 1.

const PLACE = /^( {4}.+:)(\d+):(\d+):$/gm

/** What esbuild says about a text, with the columns an editor shows. */
function asEditorsCount(said, source) {
  const lines = source.split(/\r\n|[\n\r\u2028\u2029]/)
  return said.replace(PLACE, (_, file, line, bytes) => {
    const before = Buffer.from(lines[line - 1] ?? '').subarray(0, bytes)
    return `${file}${line}:${before.length < bytes ? Number(bytes) + 1 : before.toString().length + 1}:`
  })
}

module.exports = { asEditorsCount }
