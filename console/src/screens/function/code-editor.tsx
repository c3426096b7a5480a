import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, indentOnInput, StreamLanguage } from '@codemirror/language'
import { javascript, typescript } from '@codemirror/legacy-modes/mode/javascript'
import { lintGutter, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useEffectEvent, useRef } from 'react'
import { codeTheme } from '../../ui/code-theme.ts'

/** An error at a place of the text. */
export interface CodeProblem {
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
  readonly text: string
}

interface CodeEditorProps {
  /** The file's path, whose ending says which language it is. */
  readonly path: string
  readonly text: string
  readonly readOnly: boolean
  readonly problem: CodeProblem | null
  readonly onChange: (text: string) => void
  readonly onSave: () => void
}

/** Source text. ⌘F or Ctrl-F searches, ⌘S or Ctrl-S saves; Tab indents, and leaves after Esc. */
export function CodeEditor({ path, text, readOnly, problem, onChange, onSave }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const changed = useEffectEvent((next: string) => next !== text && onChange(next))
  const saved = useEffectEvent(onSave)
  const textNow = useEffectEvent(() => text)

  useEffect(() => {
    if (host.current === null) return
    const save = { key: 'Mod-s', preventDefault: true, run: () => [saved()].length > 0 }
    const extensions = [
      keymap.of([save]),
      ...editing(path, readOnly),
      EditorView.updateListener.of(({ docChanged, state }) => docChanged && changed(state.doc.toString())),
    ]
    const opened = new EditorView({ parent: host.current, state: EditorState.create({ doc: textNow(), extensions }) })
    view.current = opened
    return () => {
      view.current = null
      opened.destroy()
    }
  }, [path, readOnly])

  useEffect(() => {
    const { current } = view
    if (current !== null && current.state.doc.toString() !== text)
      current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: text } })
  }, [text])

  useEffect(() => {
    const { current } = view
    if (current !== null)
      current.dispatch(setDiagnostics(current.state, problem ? [diagnosticOf(current, problem)] : []))
  }, [problem])

  return <div ref={host} className="min-h-0 flex-1 overflow-hidden" />
}

function editing(path: string, readOnly: boolean): readonly Extension[] {
  return [
    lineNumbers(),
    lintGutter(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    drawSelection(),
    history(),
    indentOnInput(),
    bracketMatching(),
    search({ top: true }),
    ...languageOf(path),
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
    codeTheme,
    EditorState.readOnly.of(readOnly),
    EditorView.contentAttributes.of({
      ...{ 'aria-label': path, 'aria-readonly': String(readOnly) },
      ...{ spellcheck: 'false', tabindex: '0' },
    }),
  ]
}

function languageOf(path: string): readonly Extension[] {
  // A fifth of the size of the parser of @codemirror/lang-javascript, for the same colours.
  if (/\.[cm]?tsx?$/.test(path)) return [StreamLanguage.define(typescript)]
  return /\.[cm]?jsx?$/.test(path) ? [StreamLanguage.define(javascript)] : []
}

/** From the place to the end of its line, or the whole line where nothing is behind the place. */
function diagnosticOf({ state: { doc } }: EditorView, { line, column, text }: CodeProblem) {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines))
  const start = Math.min(from + column - 1, to)
  return { from: start < to ? start : from, to, severity: 'error' as const, message: text }
}
