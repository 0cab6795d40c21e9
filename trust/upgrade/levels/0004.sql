insert into ventures (id, name, status, api_key_hash, api_key_prefix, created_at, sequence)
select id, name, status, api_key_hash, api_key_prefix, created_at, sequence from json_populate_recordset(null::ventures, $rows$[
{"id":"01a1e118-ea01-722a-ab03-cf5464c05b66","name":"Acme Bank","status":"ACTIVE","api_key_hash":"10d2e72a57a85f8c9dc802c50e8504c77c0c9e36b39fd7bbad0f5da4b472ab22","api_key_prefix":"vk_test_QIO1","created_at":"2026-11-15T21:24:28.801+00:00","sequence":0},
{"id":"01a1e118-ea17-7593-acf0-712172d9da2b","name":"Closed down","status":"DISABLED","api_key_hash":"d0e43a89a1202e7540cf749eed0e9a70bf6a7ca5577369c77f145b36c6025025","api_key_prefix":"vk_test_vEDy","created_at":"2026-11-15T21:24:28.823+00:00","sequence":0}
]$rows$);
