import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AnswerParser, MalformedAnswer } from './answer-parser.ts'

// Answers as a worker writes them (RFC 9112), in however many pieces they come.
interface Read {
  status: number
  headers: readonly string[]
  length: number | null
  body: string
  isWhole: boolean
}

function read(pieces: readonly Buffer[], { method = 'GET', closed = false } = {}): Read & { keeps: boolean } {
  const seen: Read = { status: 0, headers: [], length: null, body: '', isWhole: false }
  const parser = new AnswerParser(method, {
    head: (status, { list, length }) => Object.assign(seen, { status, headers: list, length }),
    data: (chunk) => Object.assign(seen, { body: seen.body + chunk.toString('latin1') }),
    end: () => Object.assign(seen, { isWhole: true }),
  })
  for (const piece of pieces) parser.take(piece)
  if (closed) parser.close()
  expect(parser.isDone).toBe(seen.isWhole)
  return { ...seen, keeps: parser.keepsConnection }
}

const bytes = (text: string): Buffer => Buffer.from(text.replaceAll('\n', '\r\n'), 'latin1')

const whole = { isWhole: true, keeps: true }
const answers: readonly [
  title: string,
  text: string,
  expected: object,
  options?: { method?: string; closed?: boolean },
][] = [
  [
    'a counted body',
    'HTTP/1.1 200 OK\nContent-Length: 2\nX-A: é \n\nhi',
    { status: 200, headers: ['content-length', '2', 'x-a', 'é'], length: 2, body: 'hi', ...whole },
  ],
  ['a status without words', 'HTTP/1.1 299\ncontent-length: 0\n\n', { status: 299, body: '', ...whole }],
  [
    'chunks with extensions and trailers',
    'HTTP/1.1 200 OK\ntransfer-encoding: Chunked\n\n2;a=b\nhi\nA\n0123456789\n0\nx: y\n\n',
    { headers: [], length: null, body: 'hi0123456789', ...whole },
  ],
  [
    'interim answers before it',
    'HTTP/1.1 100 Continue\n\nHTTP/1.1 103 Early\nlink: x\n\nHTTP/1.1 200 OK\ncontent-length: 1\n\n!',
    { status: 200, body: '!', ...whole },
  ],
  [
    'no body of 204 and 304',
    'HTTP/1.1 304 Not Modified\ncontent-length: 9\n\n',
    { status: 304, length: 9, body: '', ...whole },
  ],
  [
    'no body of an answer to HEAD',
    'HTTP/1.1 200 OK\ncontent-length: 9\n\n',
    { length: 9, body: '', ...whole },
    { method: 'HEAD' },
  ],
  [
    'a connection that ends with it',
    'HTTP/1.1 200 OK\nconnection: x-own, Close\nx-own: 1\ncontent-length: 0\n\n',
    { headers: ['content-length', '0'], isWhole: true, keeps: false },
  ],
  [
    'a body that the connection ends',
    'HTTP/1.0 200 OK\n\nsome',
    { body: 'some', isWhole: true, keeps: false },
    { closed: true },
  ],
  [
    'half a body',
    'HTTP/1.1 200 OK\ncontent-length: 9\n\nsome',
    { body: 'some', isWhole: false, keeps: false },
    { closed: true },
  ],
]

for (const [title, text, expected, options] of answers)
  test(`${title} is read`, () => {
    const all = bytes(text)
    const inOne = read([all], options)
    expect(inOne).toMatchObject(expected)
    fc.assert(
      fc.property(fc.array(fc.nat(all.length), { maxLength: 8 }), (cuts) => {
        const ends = [...cuts.sort((a, b) => a - b), all.length]
        const pieces = ends.map((end, index) => all.subarray(ends[index - 1] ?? 0, end))
        expect(read(pieces, options)).toEqual(inOne)
      }),
    )
  })

for (const [title, text] of [
  ['no HTTP', 'SSH-2.0\n\n'],
  ['a later version', 'HTTP/2.0 200 OK\n\n'],
  ['two lengths', 'HTTP/1.1 200 OK\ncontent-length: 1\ncontent-length: 2\n\nab'],
  ['a length that is no number', 'HTTP/1.1 200 OK\ncontent-length: 0x1\n\na'],
  ['a length and chunks', 'HTTP/1.1 200 OK\ncontent-length: 1\ntransfer-encoding: chunked\n\n0\n\n'],
  ['a coding besides chunks', 'HTTP/1.1 200 OK\ntransfer-encoding: gzip, chunked\n\n0\n\n'],
  ['a chunk without a size', 'HTTP/1.1 200 OK\ntransfer-encoding: chunked\n\n-1\n'],
  ['a chunk that is longer than its size', 'HTTP/1.1 200 OK\ntransfer-encoding: chunked\n\n1\nab\n'],
  ['a header without a colon', 'HTTP/1.1 200 OK\nx\n\n'],
  ['a header that goes on', 'HTTP/1.1 200 OK\nx: 1\n 2\n\n'],
  ['a header with NUL', 'HTTP/1.1 200 OK\nx: \0\n\n'],
  ['a protocol that was switched', 'HTTP/1.1 101 Switching Protocols\n\n'],
  ['bytes behind it', 'HTTP/1.1 200 OK\ncontent-length: 1\n\nabc'],
  ['a head without an end', `HTTP/1.1 200 OK\nx: ${'y'.repeat(70_000)}`],
] as const)
  test(`${title} is refused`, () => {
    expect(() => read([bytes(text)])).toThrow(MalformedAnswer)
  })

test('a head of spaces is read in the time that its length takes', () => {
  const { headers } = read([bytes(`HTTP/1.1 200 OK\nx: a${' '.repeat(60_000)}b\ncontent-length: 0\n\n`)])
  expect(headers[1]?.length).toBe(60_002)
})
