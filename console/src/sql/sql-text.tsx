import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { PostgreSQL, type SQLNamespace, StandardSQL, sql } from '@codemirror/lang-sql'
import { bracketMatching, indentOnInput } from '@codemirror/language'
import { setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { SqlCatalogue, SqlEngine } from '../lib/api/schemas.ts'
import { codeTheme } from '../ui/code-theme.ts'

/** What is to be run: the selection, or the whole text. */
export interface Selected {
  readonly text: string
  /** Where it begins in the text, in UTF-16 units. */
  readonly from: number
}

/** An error at a place of the text. */
export interface SqlProblem {
  readonly at: number
  readonly message: string
}

interface SqlTextProps {
  readonly label: string
  readonly engine: SqlEngine
  readonly text: string
  readonly catalogue: SqlCatalogue | undefined
  readonly problem: SqlProblem | null
  readonly onChange: (text: string) => void
  readonly onSelect: (selected: Selected) => void
  readonly onRun: () => void
}

/** SQL with the names of the database at hand. ⌘↵ or Ctrl ↵ runs; Tab indents, and leaves after Esc. */
export function SqlText({ label, engine, text, catalogue, problem, onChange, onSelect, onRun }: SqlTextProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const language = useRef(new Compartment())
  const changed = useEffectEvent((next: string) => next !== text && onChange(next))
  const selected = useEffectEvent(onSelect)
  const run = useEffectEvent(onRun)
  const start = useEffectEvent(() => ({
    text,
    named: EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
    language: language.current.of(languageOf(engine, catalogue)),
  }))

  useEffect(() => {
    if (host.current === null) return
    const { text: doc, language: languageNow, named } = start()
    const runKey = { key: 'Mod-Enter', preventDefault: true, run: () => [run()].length > 0 }
    const listener = EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
      if (docChanged) changed(state.doc.toString())
      if (docChanged || selectionSet) selected(selectedOf(state))
    })
    const extensions = [keymap.of([runKey]), ...editing, named, languageNow, listener]
    const opened = new EditorView({ parent: host.current, state: EditorState.create({ doc, extensions }) })
    view.current = opened
    selected(selectedOf(opened.state))
    return () => {
      view.current = null
      opened.destroy()
    }
  }, [])

  useEffect(() => {
    view.current?.dispatch({ effects: language.current.reconfigure(languageOf(engine, catalogue)) })
  }, [engine, catalogue])

  useEffect(() => {
    const { current } = view
    if (current !== null && current.state.doc.toString() !== text)
      current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: text } })
  }, [text])

  useEffect(() => {
    const { current } = view
    if (current === null) return
    const length = current.state.doc.length
    const from = Math.min(problem?.at ?? 0, length)
    // The word at the place, or what is there of it.
    const to = Math.min(length, from + (/^[\w"$.]+/.exec(current.state.sliceDoc(from, from + 64))?.[0].length ?? 1))
    const shown = problem === null ? [] : [{ from, to, severity: 'error' as const, message: problem.message }]
    current.dispatch(setDiagnostics(current.state, shown))
  }, [problem])

  return <div ref={host} className="min-h-0 flex-1 overflow-hidden" />
}

function selectedOf({ selection: { main }, doc }: EditorState): Selected {
  return main.empty ? { text: doc.toString(), from: 0 } : { text: doc.sliceString(main.from, main.to), from: main.from }
}

const editing: readonly Extension[] = [
  lineNumbers(),
  highlightSelectionMatches(),
  drawSelection(),
  history(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  autocompletion({ icons: false }),
  search({ top: true }),
  keymap.of([
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...historyKeymap,
    ...searchKeymap,
    ...completionKeymap,
    indentWithTab,
  ]),
  codeTheme,
  EditorView.lineWrapping,
]

function languageOf(engine: SqlEngine, catalogue: SqlCatalogue | undefined): Extension {
  return sql({
    dialect: engine === 'postgres' ? PostgreSQL : StandardSQL,
    schema: namesOf(catalogue),
    defaultSchema: engine === 'postgres' ? 'public' : 'clew',
  })
}

/** Schemas with their tables, columns and functions, as the completion of the editor takes them. */
function namesOf(catalogue: SqlCatalogue | undefined): SQLNamespace {
  const schemas: Record<string, Record<string, SQLNamespace>> = {}
  for (const { schema, name, columns } of catalogue?.tables ?? []) {
    schemas[schema] ??= {}
    schemas[schema][name] = columns.map((column) => ({ label: column.name, detail: column.type, type: 'property' }))
  }
  for (const { schema, name } of catalogue?.functions ?? []) {
    schemas[schema] ??= {}
    schemas[schema][`${name}()`] = { self: { label: name, apply: `${name}()`, type: 'function' }, children: [] }
  }
  return schemas
}
