import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const look = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--sunken)', color: 'var(--ink)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', fontSize: '12px', lineHeight: '20px' },
  '.cm-content': { padding: '12px 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 16px 0 8px' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--ink-2)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '40px', padding: '0 8px 0 4px' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--thread-wash)',
  },
  '&.cm-focused .cm-matchingBracket, .cm-matchingBracket': {
    backgroundColor: 'transparent',
    outline: '1px solid var(--ink-2)',
  },
  '.cm-searchMatch': { backgroundColor: 'transparent', outline: '1px solid var(--ink-2)' },
  '.cm-searchMatch.cm-searchMatch-selected': { backgroundColor: 'var(--thread-wash)', outlineColor: 'var(--thread)' },
  '.cm-selectionMatch': { backgroundColor: 'color-mix(in srgb, var(--line) 80%, transparent)' },
  '.cm-panels': { backgroundColor: 'var(--surface)', color: 'var(--ink)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': { padding: '6px 16px', fontFamily: 'var(--font-sans)', fontSize: '13px' },
  '.cm-panel.cm-search label': { fontSize: '12px', color: 'var(--ink-2)' },
  '.cm-panel.cm-search [name=close]': { top: '6px', right: '8px', width: '24px', height: '24px', color: 'var(--ink)' },
  '.cm-textfield, .cm-button': {
    height: '28px',
    padding: '0 8px',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    background: 'var(--surface)',
    backgroundImage: 'none',
    color: 'var(--ink)',
    fontSize: '13px',
  },
  '.cm-diagnostic': { padding: '6px 10px', fontFamily: 'var(--font-mono)', whiteSpace: 'pre-wrap' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--danger)' },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', color: 'var(--ink)', border: '1px solid var(--line)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--danger)',
    textUnderlineOffset: '3px',
  },
})

const words = HighlightStyle.define([
  {
    tag: [tags.keyword, tags.modifier, tags.operatorKeyword, tags.bool, tags.null, tags.self, tags.number, tags.escape],
    color: 'var(--info)',
  },
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], color: 'var(--ok)' },
  { tag: tags.comment, color: 'var(--ink-2)', fontStyle: 'italic' },
])

/** The console's colours, of either theme: they are variables of the page. */
export const codeTheme = [look, syntaxHighlighting(words)]
