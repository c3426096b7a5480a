/** Properties that tell events, sessions, people, groups and answers apart, or hold other properties. */
const reserved = new Set(
  (
    'distinct_id $distinct_id token api_key uuid alias $anon_distinct_id $user_id $device_id $session_id $window_id $lib ' +
    '$set $set_once $unset $groups $group_type $group_key $group_set $process_person_profile $cookieless_mode ' +
    '$survey_id $survey_response_id $feature_flag $feature_flag_response $snapshot_data $release $app_version $release_id'
  ).split(' '),
)

/** Whether the product needs a property as it was sent. Errors are grouped by theirs, and kept apart from events. */
export const isReserved = (property: string): boolean => reserved.has(property) || property.startsWith('$exception_')

/** Whether anything is kept of a schema's rows; of others there is nothing to mask. */
export const isKept = (schema: string): boolean =>
  !/^(?:clew(?:_.*)?|pg_.*|information_schema|vault|realtime|_realtime|net|supabase_migrations)$/.test(schema)
