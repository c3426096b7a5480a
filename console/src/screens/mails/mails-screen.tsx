import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { operatorQuery } from '../../lib/api/queries.ts'
import { inBackground } from '../../lib/in-background.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Count } from '../../ui/time.tsx'
import { MailDrawer } from './mail-drawer.tsx'
import { MailsView } from './mails-view.tsx'
import { mailsQuery } from './queries.ts'

/** What is shown of the inbox; it stands in the URL. */
export interface MailsSearch {
  readonly q?: string
  readonly open?: string
}

interface MailsScreenProps {
  readonly search: MailsSearch
  readonly onSearch: (search: MailsSearch) => void
}

/** Mails and text messages that were kept in place of being delivered, for owners and developers. */
export function MailsScreen(props: MailsScreenProps) {
  const { canChange } = useRights()
  const isKnown = useQuery(operatorQuery).data !== undefined
  if (canChange) return <OpenMailsScreen {...props} />
  return (
    <Page title="Inbox">
      {isKnown ? (
        <Empty title="The inbox is for owners and developers.">
          <p>Its mails hold links that sign in.</p>
        </Empty>
      ) : (
        <SkeletonRows />
      )}
    </Page>
  )
}

function OpenMailsScreen({ search, onSearch }: MailsScreenProps) {
  const { q = '', open } = search
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery(mailsQuery(q))
  const [isEmptying, setEmptying] = useState(false)
  const list = q === '' ? {} : { q }
  return (
    <Page
      title="Inbox"
      facts={
        data && (
          <span>
            <Count value={data.fitting} /> {data.fitting === 1 ? 'mail' : 'mails'}
          </span>
        )
      }
      actions={data !== undefined && data.fitting > 0 && <Button onClick={() => setEmptying(true)}>Empty</Button>}
    >
      {error && !data ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <MailsView
          mails={data?.mails}
          text={q}
          openId={open}
          onText={(text) => onSearch(text === '' ? {} : { q: text })}
          onOpen={({ id }) => onSearch({ ...list, open: id })}
        />
      )}
      <MailDrawer id={open} onClose={() => onSearch(list)} />
      <EmptyDialog
        open={isEmptying}
        onEmptied={() => {
          setEmptying(false)
          onSearch({})
          inBackground(queryClient.invalidateQueries({ queryKey: ['mails'] }))
        }}
        onClose={() => setEmptying(false)}
      />
    </Page>
  )
}

interface EmptyDialogProps {
  readonly open: boolean
  readonly onEmptied: () => void
  readonly onClose: () => void
}

function EmptyDialog({ open, onEmptied, onClose }: EmptyDialogProps) {
  const empty = useMutation({ mutationFn: () => api.emptyInbox(), onSuccess: onEmptied })
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title="Empty the inbox?"
      action="Delete all mails"
      isPending={empty.isPending}
      problem={empty.error ? errorText(empty.error) : undefined}
      onConfirm={() => empty.mutate()}
    >
      All mails are deleted, those that do not fit the filter as well. Codes and links in them stay valid.
    </ConfirmDialog>
  )
}
