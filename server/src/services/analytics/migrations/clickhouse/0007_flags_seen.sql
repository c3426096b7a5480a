-- Which variant of which flag a visitor was shown, as `key=variant`: what sessions are filtered by. Of rows that were stored
-- before it is read of their properties, until a merge writes them anew.
alter table events add column if not exists flag_seen LowCardinality(String)
  materialized if(
    event = '$feature_flag_called',
    concat(
      JSONExtractString(properties, '$feature_flag'),
      '=',
      if(
        JSONType(properties, '$feature_flag_response') = 'String',
        JSONExtractString(properties, '$feature_flag_response'),
        JSONExtractRaw(properties, '$feature_flag_response')
      )
    ),
    ''
  );
