import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { RowTimes } from '../../../ground/privacy/consent.ts'
import type { PersonStore } from '../../../ground/privacy/person.ts'
import { namedInText, soughtTexts } from '../../../ground/privacy/person-texts.ts'

/** What a line is looked through for. */
interface Names {
  /** Ids of analytics, each the whole of a JSON text. */
  readonly ids: readonly string[]
  /** Texts within others, in any case of letters. */
  readonly texts: readonly string[]
  /** Only lines from before, in milliseconds since 1970; all where not given. */
  readonly beforeMs?: number
}

interface FoundLine {
  readonly file: FileHandle
  /** Where it begins. */
  readonly at: number
  /** Without its newline. */
  readonly line: Buffer
}

const chunkBytes = 256 * 1024
const newline = 0x0a
/** Shorter than any line, which has a time, a target, a reason and a row. */
const mark = '{"erased":true}'

/**
 * The refused rows of all processes of a data directory, as a store of which a person is erased: a row in which they are named
 * goes as a whole, of others as well.
 *
 * @param spools the folder of all spools
 */
export const refusedPersonStore = (spools: string): PersonStore => ({
  name: 'refused rows',
  async count(subject) {
    let rows = 0
    for await (const _ of linesNaming(spools, { ids: subject.distinctIds, texts: [] })) rows += 1
    return rows
  },
  async erase(subject) {
    const names = { ids: subject.distinctIds, texts: soughtTexts(subject) }
    return { removed: await eraseLines(spools, names), rewritten: 0 }
  },
  async *read(subject) {
    for await (const { line } of linesNaming(spools, { ids: subject.distinctIds, texts: [] })) yield line.toString()
  },
})

/**
 * Removes refused rows in which one of these ids of analytics is named. One that was refused later had been let in by a new
 * consent right before. Bears repetition.
 */
export const forgetRefusedRows = async (
  spools: string,
  distinctIds: readonly string[],
  { receivedMs }: Pick<RowTimes, 'receivedMs'>,
): Promise<void> => {
  await eraseLines(spools, { ids: distinctIds, texts: [], beforeMs: receivedMs })
}

/**
 * Lines are overwritten where they are: another process may append to the file meanwhile, or rename it, and loses nothing by it.
 */
async function eraseLines(spools: string, names: Names): Promise<number> {
  let removed = 0
  for await (const { file, at, line } of linesNaming(spools, names)) {
    await file.write(Buffer.from(mark.padEnd(line.length)), 0, line.length, at)
    await file.datasync()
    removed += 1
  }
  return removed
}

async function* linesNaming(spools: string, names: Names): AsyncGenerator<FoundLine> {
  const isNamed = createIsNamed(names)
  for (const path of await refusedFiles(spools)) {
    const file = await open(path, 'r+').catch(() => null)
    // Renamed over by a later one since.
    if (file === null) continue
    try {
      for await (const found of linesOf(file)) if (isNamed(found.line.toString())) yield found
    } finally {
      await file.close()
    }
  }
}

async function refusedFiles(spools: string): Promise<readonly string[]> {
  const names = await readdir(spools, { recursive: true })
  return names
    .filter((name) => /(^|\/)refused\/(.+\/)?rows(\.1)?\.ndjson$/.test(name))
    .map((name) => join(spools, name))
}

async function* linesOf(file: FileHandle): AsyncGenerator<FoundLine> {
  let rest: Buffer[] = []
  let at = 0
  let read = 0
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, read)
    if (bytesRead === 0) break
    let start = 0
    for (let end = buffer.indexOf(newline); end !== -1 && end < bytesRead; end = buffer.indexOf(newline, start)) {
      const line = Buffer.concat([...rest, buffer.subarray(start, end)])
      yield { file, at, line }
      at += line.length + 1
      rest = []
      start = end + 1
    }
    rest.push(buffer.subarray(start, bytesRead))
    read += bytesRead
  }
  // What a killed process left behind has no newline.
  const line = Buffer.concat(rest)
  if (line.length > mark.length) yield { file, at, line }
}

/** A row stands in its line as a JSON text, and may hold JSON texts itself: `"ada"`, `\"ada\"` and `\\\"ada\\\"` are one id. */
function createIsNamed({ ids, texts, beforeMs = Number.POSITIVE_INFINITY }: Names): (line: string) => boolean {
  const forms = new Set(ids.flatMap(nestedForms))
  const longest = Math.max(0, ...[...forms].map(({ length }) => length))
  const withQuotes = [...forms].filter((form) => form.includes('"'))
  const hasText = namedInText(texts)
  const isNamed = (line: string): boolean =>
    hasQuoted(line, forms, longest) || withQuotes.some((form) => line.includes(form)) || hasText(line)
  return (line) => isNamed(line) && !(refusedMs(line) >= beforeMs)
}

/** When a line was written, which stands at its beginning; not a number where it does not. */
const refusedMs = (line: string): number => Date.parse(/^\{"at":"([^"]*)"/.exec(line)?.[1] ?? '')

/** A text as it stands in JSON, in JSON within JSON, and so on. */
function nestedForms(id: string): readonly string[] {
  const forms = [id]
  for (let depth = 0; depth < 3; depth += 1) forms.push(JSON.stringify(forms.at(-1)).slice(1, -1))
  return forms
}

/** Whether one of the texts stands between two quotes, the second of which may be escaped. */
function hasQuoted(line: string, forms: ReadonlySet<string>, longest: number): boolean {
  for (let from = line.indexOf('"'); from !== -1; ) {
    const to = line.indexOf('"', from + 1)
    if (to === -1) return false
    let end = to
    while (line[end - 1] === '\\') end -= 1
    if (end - from - 1 <= longest && forms.has(line.slice(from + 1, end))) return true
    from = to
  }
  return false
}
