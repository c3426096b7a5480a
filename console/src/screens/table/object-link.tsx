import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ObjectPlace } from '../../lib/object-place.ts'

interface ObjectLinkProps {
  readonly place: ObjectPlace
  readonly label?: string
  readonly className: string
  readonly children: ReactNode
}

/** The link from a value to the object of storage that it means. */
export function ObjectLink({ place, label = 'Open the object in Storage', ...rest }: ObjectLinkProps) {
  const shared = { ...rest, 'aria-label': label, title: 'Open the object in Storage' }
  return 'id' in place ? (
    <Link to="/storage/objects/$id" params={{ id: place.id }} {...shared} />
  ) : (
    <Link to="/storage/$bucket" params={{ bucket: place.bucket }} search={place.search} {...shared} />
  )
}
