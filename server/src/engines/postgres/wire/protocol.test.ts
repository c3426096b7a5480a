import pg from 'pg'
import { expect, test } from 'vitest'
import { encodeClose, encodeParse, encodeSteps } from './protocol.ts'

/** What `pg` writes for the same messages. */
function written(write: (connection: pg.Connection) => void): Buffer {
  const chunks: Buffer[] = []
  const stream = {
    writable: true,
    on: () => stream,
    write: (chunk: Buffer) => chunks.push(chunk),
  }
  // Enough of a socket to be written to.
  write(new pg.Connection({ stream } as unknown as pg.ConnectionConfig))
  return Buffer.concat(chunks)
}

test('a batch is what the driver would have written message by message', () => {
  const statements = [
    { name: 'c1', values: ['anon', 'é€😀', '', null] },
    { name: '', values: [] },
    { name: 'c22', values: [Buffer.from([0, 255, 10]), 'x'.repeat(10_000)] },
  ]
  const byDriver = written((connection) => {
    for (const { name, values } of statements) {
      connection.bind({ statement: name, values } as pg.BindConfig, true)
      connection.execute({}, true)
    }
    connection.sync()
  })
  expect(Buffer.concat([encodeSteps(statements.slice(0, 1)), encodeSteps(statements.slice(1), true)])).toEqual(byDriver)
})

test('so are a statement that is prepared, and one that is closed', () => {
  const text = `select 'é€😀', $1::int`
  const byDriver = written((connection) => {
    connection.parse({ name: 'c7', text, types: [] }, true)
    connection.describe({ type: 'S', name: 'c7' }, true)
    connection.close({ type: 'S', name: 'c6' }, true)
  })
  expect(Buffer.concat([encodeParse('c7', text), encodeClose('c6')])).toEqual(byDriver)
})
