package dev.mailroom.blob;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Where large content is kept.
 *
 * @param store postgresql or s3
 * @param beyond content larger than this lies in the bucket
 */
@ConfigurationProperties("mailroom.blob")
record BlobSettings(@DefaultValue("postgresql") Store store, @DefaultValue("64KB") DataSize beyond,
		@DefaultValue S3 s3) {

	/** In rows, or in a bucket. */
	enum Store {

		/** In the mail's own rows. */
		POSTGRESQL,

		/** In a bucket that is spoken to as S3 is. */
		S3

	}

	/**
	 * A bucket.
	 *
	 * @param endpoint its server, as https://host:port; Amazon's of the region where none
	 * is given
	 * @param pathStyle whether the bucket's name stands in the path, and not in the
	 * host's name
	 */
	record S3(@DefaultValue("") String endpoint, @DefaultValue("us-east-1") String region,
			@DefaultValue("mailroom") String bucket, @DefaultValue("") String accessKey,
			@DefaultValue("") String secretKey, @DefaultValue("true") boolean pathStyle) {

		@Override
		public String toString() {
			return this.endpoint + "/" + this.bucket;
		}

	}

}
