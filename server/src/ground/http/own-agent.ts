/** How Clew names itself in requests to its own API, with which a start makes the project's buckets. */
export const ownAgent = 'clew'
