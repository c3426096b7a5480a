import { useQuery } from '@tanstack/react-query'
import { indexBuildsQuery } from '../../schema/queries.ts'
import { Progress } from '../../ui/progress.tsx'

interface IndexBuildsProps {
  readonly schema: string
  readonly table: string
}

/** The indexes that are being built on a table beside writes, and how far each is. */
export function IndexBuilds({ schema, table }: IndexBuildsProps) {
  const { data: builds = [] } = useQuery(indexBuildsQuery(schema, table))
  if (builds.length === 0) return null
  return (
    <ul aria-label="Indexes that are being built" className="grid gap-2">
      {builds.map(({ name, phase, part }) => (
        <li key={name ?? ''} className="grid gap-1">
          <p>
            <span className="mono">{name ?? 'An index'}</span> is being built
            <span className="text-ink-2"> – {phase}</span>
          </p>
          <Progress label={`Progress of ${name ?? 'the index'}`} max={1} value={part} />
        </li>
      ))}
    </ul>
  )
}
