/** The group whose type is the project's first. */
export const projectGroup = { $group_type: 'company', $group_key: 'acme', $group_set: { plan: 'enterprise' } }

/** The settings of a project that leaves none of them as it is by default. */
export const otherSettings = { CLEW_ANALYTICS_ADDRESSES: 'shorten', CLEW_ANALYTICS_CONSENT: 'required' }

/** The id of who does what no case is about. */
export const bystander = 'bystander'
