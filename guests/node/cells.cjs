'use strict'
// Turns the text of a cell into what V8 runs in its console mode, in which `let`, `const`, `class` and `await` stand
// at the top and may be declared again by a later cell. That mode knows no `import`: where one stands is asked of V8
// itself, so that strings and comments that look like one are left alone.

const { spawnSync } = require('node:child_process')
const { SourceMap } = require('node:module')
const { Script } = require('node:vm')

const IMPORT = '__caisson_import'
const IMPORTS_MAX = 1000
const HEAD = '(async () => {'
const ESBUILD = `${__dirname}/node_modules/@esbuild/${process.platform}-${process.arch}/bin/esbuild`

// import, a default name, names in braces or a namespace, from, the module, and what is said about it.
const STATEMENT =
  /import\s*(?:([^\s,{}*'"]+)\s*,?\s*)?(?:\{([^}]*)\}|\*\s*as\s+([^\s,{}*'"]+))?\s*(?:from\s*)?(['"])([^'"\n]+)\4(?:\s*(?:with|assert)\s*(\{[^}]*\}))?/y

/** The text to evaluate. A cell that is no program at all stays as it is, for V8 to say why. */
function scriptOf(source, name) {
  const text = source.replace(/^#!.*/, '')
  return /\bimport\b/.test(text) ? callImports(stateImports(text, name)) : text
}

// V8 complains about the first `import` statement, by line and column; it becomes an expression, and so on.
function stateImports(source, name) {
  let text = source
  for (let count = 0; count < IMPORTS_MAX; count++) {
    const at = complaintAt(text, name)
    if (at < 0) return text
    STATEMENT.lastIndex = at
    const found = STATEMENT.exec(text)
    if (!found) return text
    text = text.slice(0, at) + statementOf(found) + text.slice(at + found[0].length)
  }
  return text
}

function complaintAt(text, name) {
  try {
    compile(text, name)
    return -1
  } catch (problem) {
    if (!/^Cannot use import statement/.test(problem.message)) return -1
    const [place, , marks] = problem.stack.split('\n')
    const line = Number(/:(\d+)$/.exec(place)?.[1])
    const column = marks.indexOf('^') - (line === 1 ? HEAD.length : 0)
    const before = text.split('\n').slice(0, line - 1)
    return before.reduce((sum, each) => sum + each.length + 1, column)
  }
}

const compile = (text, name) => new Script(`${HEAD}${text}\n})`, { filename: name })

// As many lines as before, so that errors name the right one.
function statementOf([whole, standard, names, space, , from, attributes]) {
  const called = `await ${IMPORT}(${JSON.stringify(from)}${attributes ? `, { with: ${attributes} }` : ''})`
  const members = [standard && `default: ${standard}`, names?.replace(/\s+as\s+/g, ': ').replace(/\n/g, ' ')]
  const named = members.filter(Boolean).join(', ')
  const statements = [named && `const { ${named} } = ${called}`, space && `const ${space} = ${called}`].filter(Boolean)
  return (statements.join('; ') || called) + '\n'.repeat(whole.split('\n').length - 1)
}

// An `import(` that may not be replaced by nonsense is one; in a string or a comment nobody would mind.
function callImports(text) {
  const call = /(?<![.\w$#])import(?=\s*\()/g
  let result = text
  for (const { index } of [...text.matchAll(call)].reverse().slice(0, IMPORTS_MAX)) {
    const rest = result.slice(index + 'import'.length)
    const changed = result.slice(0, index) + IMPORT + rest
    if (compiles(changed) && !compiles(result.slice(0, index) + '@' + rest)) result = changed
  }
  return result
}

function compiles(text) {
  try {
    compile(text, 'cell')
    return true
  } catch {
    return false
  }
}

/** Types are taken away, not checked. Imports stay, also those this cell does not use: the next one may. */
function javascriptOf(source, name) {
  const standard = transform(source, name, {})
  const made = standard.status === 0 ? standard : transform(source, name, { experimentalDecorators: true })
  if (made.status !== 0) throw new SyntaxErrorText(complaintOf(source, standard))
  const [text, encoded] = made.stdout.split('//# sourceMappingURL=data:application/json;base64,')
  return { text, map: new SourceMap(JSON.parse(Buffer.from(encoded, 'base64'))) }
}

function complaintOf(source, { stderr, error }) {
  return stderr ? require('./columns.cjs').asEditorsCount(stderr, source) : String(error)
}

/** What esbuild says about a cell that is no TypeScript is all there is to say. */
class SyntaxErrorText extends Error {}

function transform(source, name, more) {
  const compilerOptions = { verbatimModuleSyntax: true, ...more }
  const options = [
    '--loader=ts',
    '--target=node20',
    '--platform=node',
    '--sourcemap=inline',
    `--sourcefile=${name}`,
    `--tsconfig-raw=${JSON.stringify({ compilerOptions })}`,
    '--log-level=error',
    '--color=false'
  ]
  return spawnSync(ESBUILD, options, { input: source, encoding: 'utf8', maxBuffer: 64 << 20 })
}

module.exports = { IMPORT, SyntaxErrorText, javascriptOf, scriptOf }
