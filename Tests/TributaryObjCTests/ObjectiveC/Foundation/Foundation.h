// Foundation, as far as the header and the example use it: declarations in Apple's names, for a compiler without its SDK.
#pragma once

typedef signed char BOOL;
#define YES ((BOOL)1)
#define NO ((BOOL)0)
#define nil ((id)0)
typedef long NSInteger;
typedef double NSTimeInterval;

__attribute__((objc_root_class))
@interface NSObject
+ (instancetype)alloc;
+ (Class)class;
- (instancetype)init;
- (BOOL)isKindOfClass:(Class)type;
@end

@protocol NSObject
- (BOOL)isKindOfClass:(Class)type;
@end

@interface NSObject (Protocol) <NSObject>
@end

@interface NSString : NSObject
@end
@interface NSConstantString : NSString
@end
@interface NSURL : NSObject
@end
@interface NSURLRequest : NSObject
@end
@interface NSError : NSObject
@end
@interface NSDictionary<Key, Value> : NSObject
+ (instancetype)dictionaryWithObjects:(const id[])objects forKeys:(const id[])keys count:(unsigned long)count;
@end
