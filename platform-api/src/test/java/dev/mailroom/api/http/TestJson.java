package dev.mailroom.api.http;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

/** The JSON mapper of the API, for tests without an application context. */
public final class TestJson {

	private TestJson() {
	}

	public static JsonMapper mapper() {
		StreamReadConstraints limits = StreamReadConstraints.builder().maxNestingDepth(64).build();
		JsonMapper.Builder builder = JsonMapper.builder(JsonFactory.builder().streamReadConstraints(limits).build());
		new JsonRules().customize(builder);
		return builder.build();
	}

}
