insert into ventures (id, name, status, api_key_hash, api_key_prefix, created_at, sequence)
select id, name, status, api_key_hash, api_key_prefix, created_at, sequence from json_populate_recordset(null::ventures, $rows$[
{"id":"01a1e119-3360-764a-b8f5-75b47cb403c0","name":"Acme Bank","status":"ACTIVE","api_key_hash":"92e0b51ee0a60f73b5ce325687b82dccb2959c6a95d7e5ed1b2adb484258d8d0","api_key_prefix":"vk_test_mQmm","created_at":"2026-11-15T21:24:47.584+00:00","sequence":0},
{"id":"01a1e119-336d-79d1-8f61-8127068918c4","name":"Closed down","status":"DISABLED","api_key_hash":"bc94262d06c0156153d4fec72e83036abaef00c3110413eab0d6e64cf13e6b4e","api_key_prefix":"vk_test_RxF6","created_at":"2026-11-15T21:24:47.597+00:00","sequence":0}
]$rows$);
