import { expect, test } from 'vitest'
import { findingsIn } from './words.js'

test.for([
  ['a name', 'const lastFlight = 1', ['lastFlight: “flight” is “pipelined batch” here']],
  ['a constant', 'const MAX_SIGHTINGS = 1', ['MAX_SIGHTINGS: “sighting” is “observation” here']],
  ['a comment', '// The batch is underway.', ['“underway” is “in flight” here']],
  [
    'a word for a name only',
    'const told = 1 // A browser is told.',
    ['told: “told” is “a noun: the message, the fields” here'],
  ],
  ['a sentence that hangs on a pronoun', '/** For whoever asks. */', ['“whoever”: name who it is']],
  [
    'a docstring that leans on another',
    '/** The same, later. */',
    ['the beginning of the docstring says nothing by itself'],
  ],
  ['a docstring of several lines', '/**\n * Makes it.\n */', ['the beginning of the docstring says nothing by itself']],
  ['a docstring that says what is equal', '/** Two calls get the same answer. */', []],
  ['a term that contains one', 'createSingleFlight(inFlight) // Calls in flight.', []],
  ["another program's word", "const user = 'nobody' // The system's `nobody`.", []],
])('%s', ([, text, messages]) => {
  expect(findingsIn(text).map(({ message }) => message)).toEqual(messages)
})

test('a finding has its line', () => {
  expect(findingsIn('/* Two\n   lines. */\nconst keeper = `a\nb`\nconst landing = 1').map(({ line }) => line)).toEqual([
    3, 5,
  ])
})
