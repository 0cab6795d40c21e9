insert into ventures (id, name, status, api_key_hash, api_key_prefix, created_at, sequence)
select id, name, status, api_key_hash, api_key_prefix, created_at, sequence from json_populate_recordset(null::ventures, $rows$[
{"id":"01a1e118-a7bc-73b1-a31f-83a4205924da","name":"Acme Bank","status":"ACTIVE","api_key_hash":"28edf12f463e0f03fdf7f0e313aca0fca3910b9ee83229bf328ac2df172077be","api_key_prefix":"vk_test_D58V","created_at":"2026-11-15T21:24:11.836+00:00","sequence":0},
{"id":"01a1e118-a7f3-757b-a2d0-79418c156f89","name":"Closed down","status":"DISABLED","api_key_hash":"29579495eadd335bab3787877590f68149c8bb189d7a4c8a9e1bbd0154fdb41d","api_key_prefix":"vk_test_N26i","created_at":"2026-11-15T21:24:11.891+00:00","sequence":0}
]$rows$);
