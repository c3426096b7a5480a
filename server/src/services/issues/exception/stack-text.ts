import { storableText } from '../../../ground/text/storable.ts'
import { functionName, isOwnFile } from './frames.ts'
import type { Frame } from './model.ts'

/** A thrown value as programs print it. */
export interface PrintedError {
  readonly type: string
  readonly message: string
  /** Innermost call first. */
  readonly frames: readonly Frame[]
}

const mostLines = 100
const longestLine = 500

/** `at name (file:1:2)`, `at file:1:2`, `at async name (file:1:2)`: V8. */
const v8 = /^\s*at (?:async )?(?:(?<name>[^()]*) \()?(?<file>[^()]*):(?<line>\d{1,9}):(?<column>\d{1,9})\)?$/
/** `name@file:1:2`: SpiderMonkey, JavaScriptCore. */
const gecko = /^(?<name>[^@]*)@(?<file>.*):(?<line>\d{1,9}):(?<column>\d{1,9})$/

/** Frames of a stack as text, innermost first; lines that are none are left out. */
export const parseStackText = (text: string): readonly Frame[] =>
  text
    .split('\n', mostLines)
    .filter((line) => line.length <= longestLine)
    .flatMap((line) => {
      const found = (v8.exec(line) ?? gecko.exec(line))?.groups
      if (found === undefined) return []
      const { name, file = '', line: row, column } = found
      return [
        {
          file: storableText(file, 1000),
          function: functionName(name),
          line: Number(row),
          column: Number(column),
          inApp: isOwnFile(file),
          chunkId: null,
          context: null,
          built: null,
        },
      ]
    })

const uncaught = /^Uncaught (?:\(in [\w ]+\) )?/
const typeAndMessage = /^(?<type>[\p{L}_$][\p{L}\p{N}_$.]{0,100}(?:Error|Exception|[a-z]))(?:: (?<message>.*))?$/su

/** Reads `TypeError: x is undefined` and the stack below it, as engines print a thrown value. */
export function parsePrintedError(text: string): PrintedError {
  const lines = text.slice(0, 100_000).split('\n')
  const firstCall = lines.findIndex((line) => line.length <= longestLine && v8.test(line))
  const head = (firstCall < 0 ? lines : lines.slice(0, firstCall)).join('\n').replace(uncaught, '').trim()
  const named = typeAndMessage.exec(head)?.groups
  const isNamed = named?.type !== undefined && (firstCall >= 0 || /(?:Error|Exception)$/.test(named.type))
  return {
    type: isNamed ? storableText(named.type ?? '', 200) : 'Error',
    message: storableText(isNamed ? (named.message ?? '') : head, 8192),
    frames: firstCall < 0 ? [] : parseStackText(lines.slice(firstCall).join('\n')),
  }
}
