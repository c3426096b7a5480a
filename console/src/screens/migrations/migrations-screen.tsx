import { useQuery } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { MigrationDrawer } from './migration-drawer.tsx'
import { MigrationsView } from './migrations-view.tsx'
import { migrationsQuery } from './queries.ts'

interface MigrationsScreenProps {
  /** The version that is open beside the list. */
  readonly open: string | undefined
  readonly onOpen: (version: string | undefined) => void
}

/** The project's migrations. */
export function MigrationsScreen({ open, onOpen }: MigrationsScreenProps) {
  const { data, error, refetch } = useQuery(migrationsQuery)
  return (
    <Page title="Migrations" facts={data?.folder && <span className="mono">{data.folder}</span>}>
      {error && !data ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <MigrationsView list={data} openVersion={open} onOpen={({ version }) => onOpen(version)} />
      )}
      <MigrationDrawer version={open} onClose={() => onOpen(undefined)} />
    </Page>
  )
}
