package dev.mailroom.api.email;

import java.util.ArrayList;
import java.util.List;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@WithApi
class EventRoutesTest {

	@Autowired
	Client client;

	@Autowired
	Person person;

	@Test
	void theFeedIsReadByCursorUntilItsEnd() {
		for (int i = 0; i < 5; i++) {
			Given.run("insert into event (id, account_id, kind, data, created_at) "
					+ "values (uuidv7(), '%s', 'quota.reached', '{\"period\": \"daily\", \"used\": %d, \"limit\": 1, "
					+ "\"remaining\": 0, \"resets_at\": \"2026-11-22T00:00:00Z\"}', now())", this.person.account(), i);
		}
		List<Integer> used = new ArrayList<>();
		String[] query = { "?limit=2" };
		String[] body = { "" };
		Await.until("five events are read", () -> {
			body[0] = get(query[0], 200);
			used.addAll(JsonPath.<List<Integer>>read(body[0], "$.data.events[*].data.used"));
			String cursor = JsonPath.read(body[0], "$.data.next_cursor");
			query[0] = (cursor != null) ? "?limit=2&after=" + cursor : "?limit=2";
			return used.size() >= 5;
		});
		assertThat(used).containsExactly(0, 1, 2, 3, 4);
		assertThat((Boolean) JsonPath.read(body[0], "$.data.has_more")).isFalse();
		assertThat((Integer) JsonPath.read(body[0], "$.data.events[0].data.used")).isEqualTo(4);
		assertThat(JsonPath.<String>read(get(query[0], 200), "$.data.next_cursor"))
			.isEqualTo(JsonPath.read(body[0], "$.data.next_cursor"));
	}

	@Test
	void aFeedWithoutEventsIsEmpty() {
		String body = get("", 200);
		assertThat((List<?>) JsonPath.read(body, "$.data.events")).isEmpty();
		assertThat((Object) JsonPath.read(body, "$.data.next_cursor")).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "?after=nonsense", "?after=", "?limit=0", "?limit=101" })
	void anInvalidQueryIsRefused(String query) {
		assertThat((String) JsonPath.read(get(query, 400), "$.error")).isEqualTo("Invalid request data");
	}

	private String get(String query, int status) {
		return String.valueOf(this.client.get(this.person.token(), "/api/events" + query)
			.expectStatus()
			.isEqualTo(status)
			.expectBody(String.class)
			.returnResult()
			.getResponseBody());
	}

}
