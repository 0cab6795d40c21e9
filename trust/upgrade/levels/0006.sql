insert into ventures (id, name, status, api_key_hash, api_key_prefix, created_at, sequence)
select id, name, status, api_key_hash, api_key_prefix, created_at, sequence from json_populate_recordset(null::ventures, $rows$[
{"id":"01a1e119-73dc-7885-b38e-c2edc2c36202","name":"Acme Bank","status":"ACTIVE","api_key_hash":"0dfba778d106aa90ad18dde6002047bf2bea40ac5b74ba891fdd4720b08836c1","api_key_prefix":"vk_test_JomH","created_at":"2026-11-15T21:25:04.092+00:00","sequence":0},
{"id":"01a1e119-73ee-7dfd-9229-56f0afddd85e","name":"Closed down","status":"DISABLED","api_key_hash":"03e3407526efaba091ecba05f7233070f1871fae3e33da4a37bcb73867fb78e7","api_key_prefix":"vk_test_t891","created_at":"2026-11-15T21:25:04.11+00:00","sequence":0}
]$rows$);
