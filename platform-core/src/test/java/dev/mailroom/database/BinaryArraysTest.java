package dev.mailroom.database;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

import dev.mailroom.WithCore;
import io.netty.buffer.ByteBufAllocator;
import io.r2dbc.postgresql.codec.DefaultCodecs;
import io.r2dbc.postgresql.message.Format;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.r2dbc.core.DatabaseClient;

import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class BinaryArraysTest {

	@Autowired
	private DatabaseClient database;

	@ParameterizedTest
	@ValueSource(strings = { "", "NULL", "{}", "a,\"b\"\\", "Grüße, 世界 🎉", " \t\r\n" })
	void textIsUnchanged(String text) {
		assertThat(roundTrip("text[]", new String[] { text, null, text })).isEqualTo(new String[] { text, null, text });
	}

	@Test
	void valuesOfEveryTypeAreUnchanged() {
		UUID id = UUID.randomUUID();
		assertThat(roundTrip("uuid[]", new UUID[] { id, null })).isEqualTo(new UUID[] { id, null });
		assertThat(roundTrip("int[]", new Integer[] { Integer.MIN_VALUE, null, 7 }))
			.isEqualTo(new Integer[] { Integer.MIN_VALUE, null, 7 });
		assertThat(roundTrip("bigint[]", new Long[] { Long.MAX_VALUE })).isEqualTo(new Long[] { Long.MAX_VALUE });
		assertThat(roundTrip("boolean[]", new Boolean[] { true, null, false }))
			.isEqualTo(new Boolean[] { true, null, false });
	}

	@Test
	void timesKeepTheirMicroseconds() {
		Instant[] times = { Instant.parse("2026-11-21T09:08:07.123456Z"), null, Instant.EPOCH };
		assertThat(roundTrip("timestamptz[]", times)).isEqualTo(times);
	}

	@Test
	void everyTypeIsEncodedInBinary() {
		DefaultCodecs codecs = new DefaultCodecs(ByteBufAllocator.DEFAULT);
		BinaryArrays.addTo(codecs, ByteBufAllocator.DEFAULT);
		for (Object array : List.of(new String[0], new UUID[0], new Integer[0], new Long[0], new Boolean[0],
				new Instant[0])) {
			assertThat(codecs.encode(array)).as(array.getClass().getSimpleName())
				.asString()
				.contains(Format.FORMAT_BINARY.name());
		}
	}

	@Test
	void anEmptyArrayIsEmpty() {
		assertThat(roundTrip("text[]", new String[0])).isEqualTo(new String[0]);
		assertThat(this.database.sql("select cardinality(:parameter::uuid[]) as n")
			.bind("parameter", new UUID[0])
			.mapValue(Integer.class)
			.one()
			.block()).isZero();
	}

	@Test
	void longArraysAreComplete() {
		String[] texts = new String[2_000];
		Arrays.setAll(texts, (i) -> "x".repeat(i % 300));
		assertThat(roundTrip("text[]", texts)).isEqualTo(texts);
	}

	private Object roundTrip(String type, Object[] array) {
		return this.database.sql("select :parameter::" + type + " as result")
			.bind("parameter", array)
			.mapValue(array.getClass())
			.one()
			.block();
	}

}
