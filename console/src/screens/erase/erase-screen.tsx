import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { type PersonKey, personExportUrl } from '../../lib/api/privacy.ts'
import { useRights } from '../../lib/rights.ts'
import { buttonClasses } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { EraseForm } from './erase-form.tsx'
import { previewQuery } from './queries.ts'

interface EraseScreenProps {
  readonly personKey: PersonKey
  readonly onBegun: (erasureId: string) => void
}

/** What is kept of a person in every store: to be exported, or erased. */
export function EraseScreen({ personKey, onBegun }: EraseScreenProps) {
  const { canProtect } = useRights()
  const isNamed = personKey.id !== ''
  const { data: preview, error, refetch } = useQuery({ ...previewQuery(personKey), enabled: canProtect && isNamed })
  return (
    <Page
      title="Erase a person"
      crumbs={[{ label: 'Privacy', link: { to: '/settings/privacy' } }]}
      actions={
        canProtect &&
        preview && (
          <a href={personExportUrl(personKey)} download className={buttonClasses()}>
            Export their data
          </a>
        )
      }
    >
      {!canProtect ? (
        <Empty title="Owners erase people.">
          <p>Ask an owner of this instance: under Team you see who that is.</p>
        </Empty>
      ) : !isNamed ? (
        <Empty title="Whose data is erased?">
          <p>The address names no person. Erasing and exporting begin on the page of a person or of a user.</p>
          <p className="flex flex-wrap gap-2">
            <Link to="/people" className={buttonClasses()}>
              People
            </Link>
            <Link to="/users" className={buttonClasses()}>
              Users
            </Link>
          </p>
        </Empty>
      ) : error ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : preview === undefined ? (
        <SkeletonRows />
      ) : (
        <EraseForm personKey={personKey} preview={preview} onBegun={onBegun} />
      )}
    </Page>
  )
}
