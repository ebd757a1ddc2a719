-- Calls whose provider did not say what they used: their tokens are an estimate (1). NULL = as the provider counted.
ALTER TABLE llm_calls ADD COLUMN estimated INTEGER;
