import { useMutation, useQuery } from '@tanstack/react-query'
import { Download, ExternalLink, Link2, Pencil, Trash2 } from 'lucide-react'
import { ErrorProblem } from '../../../frame/failure.tsx'
import { api } from '../../../lib/api/api.ts'
import { ApiError, errorText } from '../../../lib/api/api-error.ts'
import type { StorageObject } from '../../../lib/api/schemas.ts'
import { useRights } from '../../../lib/rights.ts'
import { Button, buttonClasses } from '../../../ui/button.tsx'
import { Bytes } from '../../../ui/bytes.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Drawer } from '../../../ui/drawer.tsx'
import { Fact, Facts } from '../../../ui/facts.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { Time } from '../../../ui/time.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { ObjectPreview } from './object-preview.tsx'
import { GoneObject, ObjectPast } from './past/object-past.tsx'
import { contentUrl, objectQuery } from './queries.ts'

interface ObjectDrawerProps {
  readonly bucketId: string
  /** Nothing is open without it. */
  readonly objectKey: string | undefined
  readonly onClose: () => void
  readonly onMove: (key: string) => void
  readonly onRemove: (key: string) => void
}

/** An object opened in place: how it looks, what is known of it, its history. */
export function ObjectDrawer({ bucketId, objectKey, onClose, onMove, onRemove }: ObjectDrawerProps) {
  return (
    <Drawer
      open={objectKey !== undefined}
      onClose={onClose}
      title={<span title={objectKey}>{objectKey?.split('/').at(-1)}</span>}
    >
      {objectKey && <OpenObject {...{ bucketId, objectKey, onMove, onRemove }} />}
    </Drawer>
  )
}

function OpenObject(props: Omit<ObjectDrawerProps, 'onClose'> & { readonly objectKey: string }) {
  const { bucketId, objectKey } = props
  const { data: object, error, refetch } = useQuery(objectQuery(bucketId, objectKey))
  // Also one that was there a moment ago: another person may have removed it since.
  if (error instanceof ApiError && error.status === 404) return <GoneObject bucketId={bucketId} objectKey={objectKey} />
  if (!object) return error ? <ErrorProblem error={error} onRetry={refetch} /> : <SkeletonRows />
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 p-4">
      {object.hasFile ? (
        <ObjectPreview key={`${object.id} ${object.etag}`} object={object} />
      ) : (
        <p className="text-ink-2">This row has no file: SQL inserted it.</p>
      )}
      <Actions {...props} object={object} />
      <ObjectFacts object={object} />
      <ObjectPast id={object.id} />
    </div>
  )
}

const lifetimes = [
  { label: 'for an hour', seconds: 3600 },
  { label: 'for a day', seconds: 86_400 },
  { label: 'for a week', seconds: 604_800 },
  { label: 'for a year', seconds: 31_536_000 },
]

function Actions(props: Omit<ObjectDrawerProps, 'onClose'> & { readonly object: StorageObject }) {
  const { bucketId, object, onMove, onRemove } = props
  const { key, preview } = object
  const { canChange } = useRights()
  const toast = useToast()
  const sign = useMutation({
    mutationFn: async (expiresInSeconds: number) => {
      const { url } = await api.signStorageObject(bucketId, { key, expiresInSeconds })
      await navigator.clipboard.writeText(url)
    },
    onSuccess: () =>
      void toast.add({ title: 'The link is copied.', description: 'Everyone who has it reads the object.' }),
    onError: (problem) => void toast.add({ title: 'No link was made.', description: errorText(problem) }),
  })
  return (
    <div className="flex flex-wrap gap-1.5">
      <a href={contentUrl(bucketId, key, { download: 'true' })} download className={buttonClasses()}>
        <Download aria-hidden="true" className="size-3.5" />
        Download
      </a>
      {preview !== 'none' && (
        <a href={contentUrl(bucketId, key)} target="_blank" rel="noreferrer" className={buttonClasses()}>
          <ExternalLink aria-hidden="true" className="size-3.5" />
          Open
        </a>
      )}
      {canChange && (
        <>
          <Menu
            align="start"
            trigger={
              <Button disabled={sign.isPending} aria-label="Copy a signed link">
                <Link2 aria-hidden="true" className="size-3.5" />
                Signed link
              </Button>
            }
            items={lifetimes.map(({ label, seconds }) => ({ label, onSelect: () => sign.mutate(seconds) }))}
          />
          <Button onClick={() => onMove(key)}>
            <Pencil aria-hidden="true" className="size-3.5" />
            Rename or move
          </Button>
          <Button look="danger" onClick={() => onRemove(key)}>
            <Trash2 aria-hidden="true" className="size-3.5" />
            Delete
          </Button>
        </>
      )}
    </div>
  )
}

function ObjectFacts({ object }: { readonly object: StorageObject }) {
  const { key, sizeBytes, mimeType, cacheControl, createdAt, updatedAt, ownerId, publicUrl, userMetadata } = object
  return (
    <Facts>
      <Fact name="Key">
        <span className="mono">{key}</span> <CopyButton text={key} label="Copy the key" />
      </Fact>
      {publicUrl && (
        <Fact name="Public address">
          <a href={publicUrl} target="_blank" rel="noreferrer" className="quiet-link mono">
            {publicUrl}
          </a>{' '}
          <CopyButton text={publicUrl} label="Copy the public address" />
        </Fact>
      )}
      <Fact name="Size">{sizeBytes === null ? '–' : <Bytes value={sizeBytes} />}</Fact>
      <Fact name="Type">
        <span className="mono">{mimeType ?? '–'}</span>
      </Fact>
      <Fact name="Cache control">
        <span className="mono">{cacheControl ?? '–'}</span>
      </Fact>
      <Fact name="Owner">
        <span className="mono">{ownerId ?? '–'}</span>
      </Fact>
      <Fact name="Created">
        <Time at={createdAt} look="clock" />
      </Fact>
      <Fact name="Changed">
        <Time at={updatedAt} look="clock" />
      </Fact>
      {Object.keys(userMetadata).length > 0 && (
        <Fact name="Metadata">
          <span className="mono">{JSON.stringify(userMetadata)}</span>
        </Fact>
      )}
    </Facts>
  )
}
