import { useMemo } from 'react'
import type { Moment } from '../../../../lib/api/schemas.ts'
import type { ConsoleCall } from '../../../../player/page-log.ts'
import type { Playback } from '../../../../player/playback.ts'
import { classes } from '../../../../ui/classes.ts'
import { CountedChips, countBy, FilterBar, holds, noMatch } from '../filter-bar.tsx'
import { MomentRows } from '../moment-rows.tsx'
import { ConsoleDetail } from './console-detail.tsx'
import { findCall } from './find-call.ts'
import { type ConsoleLevel, consoleLevels, levelOf } from './levels.ts'

interface ConsoleTabProps {
  readonly moments: readonly Moment[]
  /** What the recording kept of the console. */
  readonly calls: readonly ConsoleCall[]
  readonly playback: Playback
  /** The text that the lines shown hold. */
  readonly filter: string
  readonly onFilter: (filter: string) => void
  /** None: all. */
  readonly levels: readonly ConsoleLevel[]
  readonly onLevels: (levels: readonly ConsoleLevel[]) => void
  readonly onSelect: (moment: Moment) => void
}

const idOf = ({ id }: Moment) => id
const atOf = ({ atMs }: Moment) => atMs

const tones: Readonly<Record<ConsoleLevel, string>> = {
  error: 'text-danger',
  warn: 'text-warn',
  info: 'text-info',
  log: 'text-ink-2',
  debug: 'text-ink-2',
}

/** The page's console output and its exceptions; what an object holds and where a line comes from opens in place. */
export function ConsoleTab(props: ConsoleTabProps) {
  const { moments, calls, playback, filter, onFilter, levels, onLevels, onSelect } = props
  const lines = moments.filter(({ kind }) => kind === 'console' || kind === 'exception')
  const found = useMemo(() => findCall(calls), [calls])
  const fitting = lines.filter(({ label }) => holds(label, filter))
  const shown = fitting.filter((line) => levels.length === 0 || levels.includes(levelOf(line)))
  return (
    <>
      <FilterBar label="Filter the console" placeholder="Text" value={filter} onChange={onFilter}>
        <CountedChips counts={countBy(fitting, levelOf)} names={consoleLevels} on={levels} onChange={onLevels} />
      </FilterBar>
      <MomentRows
        label="Console"
        items={shown}
        playback={playback}
        idOf={idOf}
        atOf={atOf}
        onSelect={onSelect}
        none={lines.length === 0 ? 'The page wrote nothing to its console.' : noMatch}
        draw={(line) => (
          <span className="mono flex min-w-0 gap-2">
            <span className={classes('w-10 shrink-0', tones[levelOf(line)])}>{levelOf(line)}</span>
            <span className="min-w-0 whitespace-pre-wrap break-words">{line.label}</span>
          </span>
        )}
        detail={(line) => <ConsoleDetail moment={line} call={found(line)} />}
      />
    </>
  )
}
