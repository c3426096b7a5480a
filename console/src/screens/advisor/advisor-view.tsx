import type { Advice } from '../../lib/api/schemas.ts'
import { Badge, Chip, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Code } from '../../ui/code.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Time } from '../../ui/time.tsx'
import type { AdvisorSearch } from './search.ts'

interface AdvisorProps {
  readonly advice: readonly Advice[]
  readonly search: AdvisorSearch
  readonly onSearch: (search: AdvisorSearch) => void
  readonly onIgnore: (advice: Advice) => void
  readonly onHeed: (advice: Advice) => void
}

const tones: Readonly<Record<Advice['level'], Tone>> = { error: 'danger', warn: 'warn', info: 'quiet' }
const levels: Readonly<Record<Advice['level'], string>> = {
  error: 'fix soon',
  warn: 'look at it',
  info: 'good to know',
}

/** What the database should not have, by what it is, with the SQL that fixes each. */
export function AdvisorView({ advice, search, onSearch, onIgnore, onHeed }: AdvisorProps) {
  const { kind, ignored = false } = search
  const wanted = advice.filter((each) => kind === undefined || each.kind === kind)
  const shown = wanted.filter((each) => (each.ignored !== null) === ignored)
  const names = [...new Set(shown.map(({ name }) => name))]
  const ignoredCount = wanted.filter((each) => each.ignored !== null).length
  const { kind: _kind, ...anyKind } = search
  const { ignored: _ignored, ...open } = search
  return (
    <>
      <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-1.5 border-line border-b px-4 py-1.5">
        {(['security', 'performance'] as const).map((each) => (
          <Chip key={each} on={kind === each} onToggle={(on) => onSearch(on ? { ...anyKind, kind: each } : anyKind)}>
            {each} {advice.filter((one) => one.kind === each && one.ignored === null).length}
          </Chip>
        ))}
        <Chip on={ignored} onToggle={(on) => onSearch(on ? { ...open, ignored: true } : open)}>
          ignored {ignoredCount}
        </Chip>
        <span className="ml-auto text-ink-2 text-sm max-sheet:hidden">
          Nothing is changed here: take the SQL into a migration.
        </span>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {shown.length === 0 ? (
          <Empty title={ignored ? 'Nothing is ignored.' : 'Nothing to fix.'}>
            <p>
              {ignored
                ? 'A finding that is left for a reason is kept here.'
                : 'Row security, policies, functions, keys and indexes are as they should be.'}
            </p>
          </Empty>
        ) : (
          <div className="mx-auto grid max-w-[880px] grid-cols-[minmax(0,1fr)] gap-4 px-4 py-6">
            {names.map((name) => (
              <Group
                key={name}
                found={shown.filter((each) => each.name === name)}
                onIgnore={onIgnore}
                onHeed={onHeed}
              />
            ))}
          </div>
        )}
      </div>
    </>
  )
}

type GroupProps = Pick<AdvisorProps, 'onIgnore' | 'onHeed'> & { readonly found: readonly Advice[] }

function Group({ found, onIgnore, onHeed }: GroupProps) {
  const [first] = found
  if (first === undefined) return null
  const script = found.flatMap(({ fix }) => fix ?? []).join('\n')
  return (
    <Card
      title={first.title}
      about={
        <>
          <Badge tone={tones[first.level]}>{levels[first.level]}</Badge> {first.remedy}
        </>
      }
      action={
        found.length > 1 &&
        script !== '' && (
          <CopyButton look="plain" text={script} label={`Copy all SQL: ${first.title}`}>
            Copy all SQL
          </CopyButton>
        )
      }
    >
      <ul aria-label={first.title} className="grid divide-y divide-line">
        {found.map((advice) => (
          <li key={advice.object} className="grid grid-cols-[minmax(0,1fr)] gap-1.5 py-2.5">
            <div className="flex items-center gap-2">
              <span className="mono wrap-anywhere min-w-0 flex-1">{advice.object}</span>
              {advice.ignored === null ? (
                <Button size="small" aria-label={`Ignore ${advice.object}`} onClick={() => onIgnore(advice)}>
                  Ignore…
                </Button>
              ) : (
                <Button size="small" aria-label={`Show ${advice.object} again`} onClick={() => onHeed(advice)}>
                  Show again
                </Button>
              )}
            </div>
            {advice.ignored && (
              <p className="text-ink-2">
                {advice.ignored.reason} – {advice.ignored.by}, <Time at={advice.ignored.at} />
              </p>
            )}
            {advice.fix !== null && advice.ignored === null && (
              <Code text={advice.fix} language="sql" copyLabel={`Copy the SQL for ${advice.object}`} />
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
