import { Link } from '@tanstack/react-router'
import type { Bucket } from '../../lib/api/schemas.ts'
import { Badge } from '../../ui/badge.tsx'
import { Bytes } from '../../ui/bytes.tsx'
import { Code } from '../../ui/code.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Count } from '../../ui/time.tsx'

interface BucketsProps {
  /** Absent while they are on their way. */
  readonly buckets: readonly Bucket[] | undefined
  readonly onOpen: (bucket: Bucket) => void
}

const firstBucket = `insert into storage.buckets (id, name, public)
values ('photos', 'photos', true);`

const columns: readonly TableColumn<Bucket>[] = [
  {
    id: 'name',
    title: 'Bucket',
    cell: ({ id }) => (
      <Link to="/storage/$bucket" params={{ bucket: id }} className="hover:underline">
        {id}
      </Link>
    ),
  },
  {
    id: 'access',
    title: 'Reads',
    width: 92,
    cell: ({ public: isPublic }) =>
      isPublic ? (
        <span title="Downloads need no token">
          <Badge tone="warn">public</Badge>
        </span>
      ) : (
        <span title="Policies decide">
          <Badge>private</Badge>
        </span>
      ),
  },
  { id: 'objects', title: 'Objects', width: 80, align: 'right', cell: ({ objects }) => <Count value={objects} /> },
  {
    id: 'size',
    title: 'Size',
    width: 88,
    align: 'right',
    from: 'narrow',
    cell: ({ sizeBytes }) => <Bytes value={sizeBytes} />,
  },
  {
    id: 'types',
    title: 'Allowed types',
    width: 200,
    from: 'sheet',
    cell: ({ allowedMimeTypes }) =>
      allowedMimeTypes.length > 0 ? (
        <span className="mono">{allowedMimeTypes.join(', ')}</span>
      ) : (
        <span className="text-ink-2">any</span>
      ),
  },
  {
    id: 'limit',
    title: 'Object limit',
    width: 104,
    align: 'right',
    from: 'wide',
    cell: ({ fileSizeLimit }) =>
      fileSizeLimit === null ? <span className="text-ink-2">instance’s</span> : <Bytes value={fileSizeLimit} />,
  },
]

/** The buckets with what they hold. */
export function BucketsView({ buckets, onOpen }: BucketsProps) {
  if (buckets === undefined) return <SkeletonRows />
  if (buckets.length === 0)
    return (
      <Empty title="No buckets yet.">
        <p>A bucket holds files and says who may read them. Make one here, or in a migration:</p>
        <Code text={firstBucket} language="sql" copyLabel="Copy the SQL" />
      </Empty>
    )
  return <Table label="Buckets" columns={columns} rows={buckets} rowKey={({ id }) => id} onOpen={onOpen} />
}
