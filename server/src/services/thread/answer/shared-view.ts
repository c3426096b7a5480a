import type { SharedView, ShareLane } from '../../../ground/model/session.ts'
import { viewWithoutValues } from '../console-rights.ts'
import type { RequestMoment } from '../schemas/request.ts'
import type { Moment, SessionDetail } from '../schemas/session.ts'

const nobody = { distinctId: '', personId: null, userId: null, email: null, name: null }

/**
 * As much of a session as a link shows. Other sessions, and whose they are, hosts that were called, and ids that lead
 * into this instance are never shown.
 */
export function shareSession(detail: SessionDetail, view: SharedView): SessionDetail {
  const { session, moments } = view.values ? detail : viewWithoutValues.session(detail)
  return {
    ...detail,
    session: {
      ...session,
      ...(view.person ? {} : { person: nobody, people: [], city: null, country: null }),
    },
    moments: moments.filter((moment) => isShown(moment, view.lanes)).map((moment) => shareMoment(moment, view)),
  }
}

function isShown({ kind, level, requests }: Moment, lanes: readonly ShareLane[]): boolean {
  switch (kind) {
    case 'page':
    case 'gap':
      return true
    case 'click':
    case 'input':
    case 'event':
      return lanes.includes('clicks')
    case 'console':
    case 'exception':
      return lanes.includes('console') && (level === 'error' || kind === 'console')
    case 'frame':
      return lanes.includes('live')
    // What servers tell of themselves is for the team.
    case 'span':
    case 'log':
      return false
    case 'request':
      return lanes.includes('api') && requests.some(({ link }) => !link.foreign)
    default:
      return kind satisfies never
  }
}

function shareMoment({ error: _error, ...moment }: Moment, { lanes, values, person }: SharedView): Moment {
  const requests = lanes.includes('api') ? moment.requests.filter(({ link }) => !link.foreign) : []
  return {
    ...moment,
    properties: values ? moment.properties : null,
    requests: requests.map((request) => shareRequest(request, lanes.includes('rows'), person)),
    frame: moment.frame && { ...moment.frame, cause: null, reached: [] },
  }
}

const shareRequest = (request: RequestMoment, rows: boolean, person: boolean): RequestMoment => ({
  ...request,
  changes: rows ? request.changes : [],
  // Reasons of a tie name people.
  link: person ? request.link : { ...request.link, why: null },
  sends: [],
  reached: [],
})
