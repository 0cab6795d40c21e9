insert into ventures (id, name, status, api_key_hash, api_key_prefix, created_at, sequence)
select id, name, status, api_key_hash, api_key_prefix, created_at, sequence from json_populate_recordset(null::ventures, $rows$[
{"id":"01a1e137-ee77-7d6c-9471-445c7b7573e9","name":"Acme","status":"ACTIVE","api_key_hash":"465568f452499db23d8bed85bbf4b287209279e126e0ee215707471edd9cbfa1","api_key_prefix":"vk_test_ox2j","created_at":"2026-11-15T21:58:21.559+00:00","sequence":0},
{"id":"01a1e137-ee8f-7aa1-85e7-223b3b1f8bbd","name":"Closed down","status":"DISABLED","api_key_hash":"0e8e750c04bc7b43783c3d95249d3dd5fde5d83cdc10300094e3027db18fb82c","api_key_prefix":"vk_test_kpLY","created_at":"2026-11-15T21:58:21.583+00:00","sequence":0}
]$rows$);
