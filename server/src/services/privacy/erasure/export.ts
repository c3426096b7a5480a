import type { Subject } from '../../../ground/privacy/person.ts'
import type { ErasuresDeps } from './deps.ts'

/**
 * All that is kept of a person as the text of one JSON object, in pieces: `{"exportedAt":…,"stores":{"events":[…],…}}`. No
 * more than one row is held.
 */
export async function* exportPerson(
  { stores, account, now }: Pick<ErasuresDeps, 'stores' | 'account' | 'now'>,
  subject: Subject,
): AsyncGenerator<string> {
  const { userId } = subject
  yield `{"exportedAt":${JSON.stringify(now().toISOString())},"stores":{`
  const sources: readonly (readonly [name: string, rows: AsyncIterable<string>])[] = [
    ...(userId === null
      ? []
      : ([
          ['account', account.read(userId)],
          ['rows of the application', account.readRows(userId)],
        ] as const)),
    ...stores.map(({ name, read }) => [name, read(subject)] as const),
  ]
  let isFirstStore = true
  for (const [name, rows] of sources) {
    yield `${isFirstStore ? '' : ','}\n${JSON.stringify(name)}:[`
    isFirstStore = false
    let separator = '\n'
    for await (const row of rows) {
      yield separator + row
      separator = ',\n'
    }
    yield ']'
  }
  yield '\n}}\n'
}
