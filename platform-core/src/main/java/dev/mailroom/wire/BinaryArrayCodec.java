package dev.mailroom.wire;

import java.util.UUID;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.r2dbc.postgresql.client.EncodedParameter;
import io.r2dbc.postgresql.codec.Codec;
import io.r2dbc.postgresql.codec.PostgresqlObjectId;
import io.r2dbc.postgresql.message.Format;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Writes one-dimensional arrays in PostgreSQL's binary form: dimensions, whether there
 * are nulls, the elements' type, length and lower bound, then each element behind its
 * length (array_send in its sources). It reads none: that is left to the driver.
 */
final class BinaryArrayCodec implements Codec<Object[]> {

	private static final int NULL = -1;

	/** What an element takes at a guess, so that most arrays never grow. */
	private static final int GUESS = 40;

	private final ByteBufAllocator allocator;

	BinaryArrayCodec(ByteBufAllocator allocator) {
		this.allocator = allocator;
	}

	@Override
	public boolean canEncode(Object value) {
		return value instanceof Object[] array && Element.of(array) != null;
	}

	@Override
	public EncodedParameter encode(Object value) {
		Object[] array = (Object[]) value;
		Element element = Element.of(array);
		if (element == null) {
			throw new IllegalArgumentException("No array that is sent in binary: " + value.getClass());
		}
		return encode(array, element, element.array.getObjectId());
	}

	@Override
	public EncodedParameter encode(Object value, int type) {
		return encode(value);
	}

	private EncodedParameter encode(@Nullable Object[] array, Element element, int type) {
		return new EncodedParameter(Format.FORMAT_BINARY, type, Mono.fromSupplier(() -> write(array, element)));
	}

	private ByteBuf write(@Nullable Object[] array, Element element) {
		ByteBuf bytes = this.allocator.buffer(20 + array.length * GUESS);
		bytes.writeInt((array.length == 0) ? 0 : 1);
		int nulls = bytes.writerIndex();
		bytes.writeInt(0).writeInt(element.type.getObjectId());
		if (array.length > 0) {
			bytes.writeInt(array.length).writeInt(1);
		}
		for (Object value : array) {
			if (value == null) {
				bytes.setInt(nulls, 1).writeInt(NULL);
			}
			else {
				write(value, bytes);
			}
		}
		return bytes;
	}

	private static void write(Object value, ByteBuf bytes) {
		switch (value) {
			case String text -> {
				int length = bytes.writerIndex();
				bytes.writeInt(0);
				bytes.setInt(length, ByteBufUtil.writeUtf8(bytes, text));
			}
			case UUID id ->
				bytes.writeInt(16).writeLong(id.getMostSignificantBits()).writeLong(id.getLeastSignificantBits());
			case Integer number -> bytes.writeInt(4).writeInt(number);
			case Long number -> bytes.writeInt(8).writeLong(number);
			case Boolean flag -> bytes.writeInt(1).writeBoolean(flag);
			default -> throw new IllegalArgumentException("No element that is sent in binary: " + value.getClass());
		}
	}

	@Override
	public boolean canEncodeNull(Class<?> type) {
		return false;
	}

	@Override
	public EncodedParameter encodeNull() {
		throw new UnsupportedOperationException("An array that is null is left to the driver");
	}

	@Override
	public boolean canDecode(int type, Format format, Class<?> wanted) {
		return false;
	}

	@Override
	public Object[] decode(@Nullable ByteBuf bytes, int type, Format format, Class<? extends Object[]> wanted) {
		throw new UnsupportedOperationException("Arrays that come in are left to the driver");
	}

	private enum Element {

		TEXT(PostgresqlObjectId.TEXT, PostgresqlObjectId.TEXT_ARRAY),
		UUIDS(PostgresqlObjectId.UUID, PostgresqlObjectId.UUID_ARRAY),
		INTEGER(PostgresqlObjectId.INT4, PostgresqlObjectId.INT4_ARRAY),
		LONG(PostgresqlObjectId.INT8, PostgresqlObjectId.INT8_ARRAY),
		BOOLEAN(PostgresqlObjectId.BOOL, PostgresqlObjectId.BOOL_ARRAY);

		private final PostgresqlObjectId type;

		private final PostgresqlObjectId array;

		Element(PostgresqlObjectId type, PostgresqlObjectId array) {
			this.type = type;
			this.array = array;
		}

		static @Nullable Element of(@Nullable Object[] array) {
			return switch (array) {
				case String[] _ -> TEXT;
				case UUID[] _ -> UUIDS;
				case Integer[] _ -> INTEGER;
				case Long[] _ -> LONG;
				case Boolean[] _ -> BOOLEAN;
				default -> null;
			};
		}

	}

}
