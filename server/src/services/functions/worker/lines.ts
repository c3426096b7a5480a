import { StringDecoder } from 'node:string_decoder'

/**
 * Splits output into lines. What a line has beyond `maxChars` is dropped, so that a process that writes none cannot fill
 * the memory.
 */
export function createLineSplitter(maxChars: number, take: (line: string) => void): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  return (chunk) => {
    const lines = (rest + decoder.write(chunk)).split('\n')
    rest = (lines.pop() ?? '').slice(0, maxChars)
    for (const line of lines) take(line.slice(0, maxChars))
  }
}
