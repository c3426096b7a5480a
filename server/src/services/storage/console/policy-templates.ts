import type { PolicyTemplate } from './schemas.ts'

interface Template {
  readonly id: string
  readonly title: string
  /** @param bucket the bucket’s id as an SQL literal; @param name what its policies’ names begin with, as a part of an identifier */
  readonly render: (bucket: string, name: string) => string
}

const userFolder = '(storage.foldername(name))[1] = (select auth.uid()::text)'
const isOwner = 'owner_id = (select auth.uid()::text)'

const templates: readonly Template[] = [
  {
    id: 'read-all',
    title: 'Everyone reads',
    render: (bucket, name) => `create policy "${name}: everyone reads"
  on storage.objects for select
  using (bucket_id = ${bucket});`,
  },
  {
    id: 'read-signed-in',
    title: 'Signed-in users read',
    render: (bucket, name) => `create policy "${name}: signed-in users read"
  on storage.objects for select to authenticated
  using (bucket_id = ${bucket});`,
  },
  {
    id: 'upload-signed-in',
    title: 'Signed-in users upload',
    render: (bucket, name) => `create policy "${name}: signed-in users upload"
  on storage.objects for insert to authenticated
  with check (bucket_id = ${bucket});`,
  },
  {
    id: 'own-objects',
    title: 'Users change and delete what they uploaded',
    render: (bucket, name) => `create policy "${name}: users read what they uploaded"
  on storage.objects for select to authenticated
  using (bucket_id = ${bucket} and ${isOwner});

create policy "${name}: users change what they uploaded"
  on storage.objects for update to authenticated
  using (bucket_id = ${bucket} and ${isOwner})
  with check (bucket_id = ${bucket} and ${isOwner});

create policy "${name}: users delete what they uploaded"
  on storage.objects for delete to authenticated
  using (bucket_id = ${bucket} and ${isOwner});`,
  },
  {
    id: 'own-folder',
    title: 'Each user has a folder, named by the user’s id',
    render: (bucket, name) => `create policy "${name}: users own their folder"
  on storage.objects for all to authenticated
  using (bucket_id = ${bucket} and ${userFolder})
  with check (bucket_id = ${bucket} and ${userFolder});`,
  },
]

/** The policies that most buckets need, as SQL for one bucket. Names of buckets have neither double quotes nor backslashes. */
export const renderTemplates = (bucketId: string): readonly PolicyTemplate[] =>
  templates.map(({ id, title, render }) => ({
    id,
    title,
    sql: render(`'${bucketId.replaceAll("'", "''")}'`, nameOf(bucketId)),
  }))

/** A policy's name has 63 bytes at most. */
const nameOf = (bucketId: string): string => bucketId.replaceAll('"', '""').slice(0, 30)
