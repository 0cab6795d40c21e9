insert into ventures (id, name, status, api_key_hash, api_key_prefix, created_at)
select id, name, status, api_key_hash, api_key_prefix, created_at from json_populate_recordset(null::ventures, $rows$[
{"id":"01a1e137-cb91-7a70-8a7b-3803da395ae9","name":"Acme","status":"ACTIVE","api_key_hash":"3413382d4f5c8e7a861cf11c7124283f1cd53b261fa4a267b3224485592bec89","api_key_prefix":"vk_test_WqG-","created_at":"2026-11-15T21:58:12.626+00:00"},
{"id":"01a1e137-cba2-709a-8a78-b3ef59b242cb","name":"Closed down","status":"DISABLED","api_key_hash":"238f0c848fc71679ac0aa26bf46fb087986a7208b0fceaac158b886559be2cbb","api_key_prefix":"vk_test_KMOl","created_at":"2026-11-15T21:58:12.642+00:00"}
]$rows$);
