import { expect, test } from 'vitest'
import { importsNothingNew } from './imports.ts'

const before = `import { a } from './a.ts'
// It doesn't matter.
Deno.serve(() => new Response(a("text")))`

test.each([
  ['the words of a text', before.replace('text', 'other words'), true],
  ['code', before.replace('a("text")', 'String(1 + 2)'), true],
  ['an import, which goes,', before.split('\n').slice(2).join('\n'), true],
  ['another file', before.replace('./a.ts', './b.ts'), false],
  ['a file whose name has a space', `${before}\nimport './a b.ts'`, false],
  ['a package', `${before}\nimport "npm:left-pad@1"`, false],
  ['a name of the import map', `${before}\nexport * from '@team/lib'`, false],
  ['a file that is loaded later', `${before}\nawait import(\`../_shared/\${name}.ts\`)`, false],
  ['an escaped name', `${before}\nimport "\\x2e/b.ts"`, false],
  ['an import behind a comment with an apostrophe', `${before}\n/* don't */ import c from "./c.ts"`, false],
  ['an import between comments', `${before}\nimport c from /* it's */ './c.ts' // so it's`, false],
])('a change of %s names no new module: %#', (_title, after, expected) => {
  expect(importsNothingNew(before, after)).toBe(expected)
})
