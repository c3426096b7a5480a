import type { MailSummary } from '../../lib/api/schemas.ts'
import { classes } from '../../ui/classes.ts'
import { Empty } from '../../ui/empty.tsx'
import { Filter } from '../../ui/field.tsx'
import { ListTable } from '../../ui/list-table.tsx'
import type { TableColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

interface MailsViewProps {
  /** Absent while they are on their way. */
  readonly mails: readonly MailSummary[] | undefined
  readonly text: string
  readonly openId: string | undefined
  readonly onText: (text: string) => void
  readonly onOpen: (mail: MailSummary) => void
}

const columns: readonly TableColumn<MailSummary>[] = [
  {
    id: 'to',
    title: 'To',
    width: 220,
    from: 'narrow',
    cell: ({ to, isRead }) => <span className={classes(!isRead && 'font-medium')}>{to}</span>,
  },
  {
    id: 'subject',
    title: 'Subject',
    cell: ({ to, subject, kind, isRead }) => (
      <>
        <span className="mr-2 narrow:hidden">{to}</span>
        <span className={classes(!isRead && 'font-medium')}>{subject}</span>
        {kind === 'sms' && <span className="ml-2 text-ink-2">text message</span>}
        {!isRead && <span className="sr-only">, unread</span>}
      </>
    ),
  },
  { id: 'at', title: 'Sent', width: 104, cell: ({ at }) => <Time at={at} className="text-ink-2" /> },
]

/** The newest mails; those that were not opened yet stand out. */
export function MailsView({ mails, text, openId, onText, onOpen }: MailsViewProps) {
  return (
    <>
      <div className="flex h-10 shrink-0 items-center border-line border-b px-4">
        <Filter
          label="Filter mails"
          placeholder="Filter by words, to:, from:, subject:, is:unread"
          value={text}
          onChange={onText}
        />
      </div>
      <ListTable
        label="Mails"
        columns={columns}
        rows={mails}
        rowKey={({ id }) => id}
        onOpen={onOpen}
        openKey={openId}
        footer={mails?.length === 200 && <p className="px-4 py-3 text-ink-2">The newest 200; filter for older ones.</p>}
        none={
          text !== '' ? (
            <Empty title="No mails match this filter.">
              <p>Words are looked for in addresses, subjects and texts.</p>
            </Empty>
          ) : (
            <Empty title="No mails yet.">
              <p>
                Without a mail server, mails to users and text messages wait here: codes, links, invitations. Sign in as
                a user of your application to see one.
              </p>
            </Empty>
          )
        }
      />
    </>
  )
}
