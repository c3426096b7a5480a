/**
 * The answer of `/flags` and `/decide` to a project without flags, in the form of the version asked for.
 *
 * @param version `v` of the query string; 2 is the current form of `/flags`
 * @param path    `decide` numbers its forms differently
 */
export function renderFlags(
  path: 'flags' | 'decide',
  version: string | null,
  requestId: string,
  nowMs: number,
): Record<string, unknown> {
  if (path === 'flags' && version === '2') {
    return { flags: {}, errorsWhileComputingFlags: false, requestId, evaluatedAt: nowMs }
  }
  const isList = path === 'decide' && (version === null || version === '1')
  return { featureFlags: isList ? [] : {}, featureFlagPayloads: {}, errorsWhileComputingFlags: false, requestId }
}

/** The definitions for local evaluation of a project without flags. */
export const noDefinitions = { flags: [], group_type_mapping: {}, cohorts: {} } as const
