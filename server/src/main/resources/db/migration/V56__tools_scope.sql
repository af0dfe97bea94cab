UPDATE api_key SET scopes = REPLACE(scopes, '"admin"', '"admin","tools"') WHERE scopes LIKE '%"admin"%';
