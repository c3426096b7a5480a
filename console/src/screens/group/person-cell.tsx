import { Link } from '@tanstack/react-router'
import type { GroupPerson } from '../../lib/api/schemas.ts'
import { personName, visitorName } from '../../lib/person.ts'

/** A person as a link to them, or the id of a visitor without one. */
export function PersonCell({ person, distinctId }: Pick<GroupPerson, 'person' | 'distinctId'>) {
  return person ? (
    <Link to="/people/$id" params={{ id: person.id }} className="font-medium hover:underline">
      {personName({ ...person, distinctId })}
    </Link>
  ) : (
    <span className="text-ink-2" title={distinctId}>
      {visitorName(distinctId)}
    </span>
  )
}
