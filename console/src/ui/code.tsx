import { classes } from './classes.ts'
import { CopyButton } from './copy-button.tsx'
import { readSql, type SqlPiece } from './sql-pieces.ts'

const tones: Record<SqlPiece['kind'], string | undefined> = {
  keyword: 'text-info',
  string: 'text-ok',
  number: 'text-warn',
  parameter: 'text-warn',
  comment: 'text-ink-2',
  plain: undefined,
}

interface CodeProps {
  readonly text: string
  readonly language?: 'sql' | 'plain'
  /** Names the copy button; without it there is none. */
  readonly copyLabel?: string
  readonly className?: string
}

/** A block of code in a well; SQL lightly coloured. */
export function Code({ text, language = 'plain', copyLabel, className }: CodeProps) {
  return (
    <div className={classes('group relative rounded-control border border-line bg-sunken', className)}>
      <pre
        className={classes(
          'mono wrap-anywhere overflow-x-auto whitespace-pre-wrap py-2.5 pl-3 text-ink',
          copyLabel ? 'pr-10' : 'pr-3',
        )}
      >
        <code>{language === 'sql' ? <Sql text={text} /> : text}</code>
      </pre>
      {copyLabel && (
        <div className="absolute top-1.5 right-1.5 rounded-control bg-sunken">
          <CopyButton text={text} label={copyLabel} />
        </div>
      )}
    </div>
  )
}

/** SQL inline, in colours. */
function Sql({ text }: { readonly text: string }) {
  return readSql(text).map((piece) => (
    <span key={piece.at} className={tones[piece.kind]}>
      {piece.text}
    </span>
  ))
}
