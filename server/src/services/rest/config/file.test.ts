import { describe, expect, test } from 'vitest'
import { parseConfigurationFile } from './file.ts'

const read = (text: string, environment: Readonly<Record<string, string>> = {}) => {
  const parsed = parseConfigurationFile(text, environment)
  return parsed.kind === 'values' ? Object.fromEntries(parsed.values) : parsed.problem
}

test.each([
  ['a text', 'db-uri = "postgresql://"', { 'db-uri': 'postgresql://' }],
  ['a number', 'db-pool=10', { 'db-pool': 10 }],
  ['a flag', 'a = true\nb = off', { a: true, b: false }],
  ['a name with dots', 'app.settings.one_two = "x"', { 'app.settings.one_two': 'x' }],
  ['comments, of any letters', '# Commènt\na = 1 # one\n\n  # none\nb = "#"', { a: 1, b: '#' }],
  ['escapes', 'a = "q\\" b\\\\ n\\n u\\u00e9"', { a: 'q" b\\ n\n ué' }],
  ['a dollar', 'a = "$$.role"', { a: '$.role' }],
  ['a variable', 'a = "http://$(HOST)/x"', { a: 'http://shop/x' }],
  ['a value from above', 'host = "a"\nb = "$(host)b"', { host: 'a', b: 'ab' }],
  ['the last of several', 'a = 1\na = 2', { a: 2 }],
  ['nothing', '', {}],
])('%s', (_title, text, values) => expect(read(text, { HOST: 'shop' })).toEqual(values))

describe('what does not parse is told with its line', () => {
  test.each([
    ['yaml:\n  is: not', 1, '='],
    ['a = 1\nb = "open', 2, 'the end of a text, "'],
    ['a = 1\nb = c', 2, 'a text in quotes, a number, true or false'],
    ['a = "$(NOWHERE)"', 1, 'a value for $(NOWHERE)'],
    ['a = "$x"', 1, 'an escape (\\n, \\", \\\\, \\u0041), $$ or $(NAME)'],
    ['a = 1 2', 1, 'the end of the line'],
    ['\n= 1', 2, 'a name'],
  ])('%j', (text, line, expected) => expect(read(text)).toEqual({ line, expected }))
})
